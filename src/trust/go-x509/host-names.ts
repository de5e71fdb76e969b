/** Go's rules for names: which are names at all, and which certificate is for which host. */
import { isIP, SocketAddress } from 'node:net';

/** The names of a certificate that a host can be found among; addresses as their bytes. */
export interface NamedFor {
  readonly dnsNames: readonly string[];
  readonly addresses: readonly Buffer[];
}

/**
 * True when the certificate is one for the host, which is a name or an address, in brackets or not.
 *
 * The common name never counts, an address only among the addresses, and `*` only as the whole first
 * label. Source: crypto/x509, Certificate.VerifyHostname; checked with Go in test/oracles/go/tls.
 */
export function isNamedFor({ dnsNames, addresses }: NamedFor, host: string): boolean {
  const bare = /^\[(.+)\]$/.exec(host)?.[1] ?? host;
  const address = addressBytes(bare);
  if (address !== undefined) {
    return addresses.some((candidate) => sixteenBytes(candidate).equals(sixteenBytes(address)));
  }
  const name = lowerAscii(host);
  const labels = name.replace(/\.$/, '').split('.');
  const isHost = isHostname(name.replace(/\.$/, ''), false);
  return dnsNames.some((pattern) =>
    isHost && isHostname(pattern, true)
      ? matchesLabels(lowerAscii(pattern).split('.'), labels)
      : isExactly(pattern, name),
  );
}

/** The 4 or 16 bytes of an address; undefined for anything else, also for one with a zone. */
export function addressBytes(text: string): Buffer | undefined {
  const family = isIP(text);
  if (family === 0 || text.includes('%')) return undefined;
  if (family === 4) return Buffer.from(text.split('.').map(Number));
  // Node writes the shortest form: at most one "::" and no dotted end, except for mapped addresses.
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  const [head = '', tail] = address.split('::');
  const left = groupsOf(head);
  const right = tail === undefined ? [] : groupsOf(tail);
  const zeros = tail === undefined ? 0 : 16 - left.length - right.length;
  return Buffer.from([...left, ...new Array<number>(zeros).fill(0), ...right]);
}

function groupsOf(text: string): number[] {
  return text.split(':').flatMap((group) => {
    if (group === '') return [];
    if (group.includes('.')) return group.split('.').map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

const mappedPrefix = Buffer.from('00000000000000000000ffff', 'hex');

function sixteenBytes(address: Buffer): Buffer {
  return address.length === 4 ? Buffer.concat([mappedPrefix, address]) : address;
}

function isHostname(name: string, isPattern: boolean): boolean {
  if (name === '' || name === '*') return false;
  return name
    .split('.')
    .every(
      (label, index) =>
        (isPattern && index === 0 && label === '*') || /^[A-Za-z0-9_][A-Za-z0-9_-]*$/.test(label),
    );
}

function matchesLabels(pattern: readonly string[], labels: readonly string[]): boolean {
  return (
    pattern.length === labels.length &&
    pattern.every((label, index) => (index === 0 && label === '*') || label === labels[index])
  );
}

function isExactly(pattern: string, name: string): boolean {
  if (pattern === '' || pattern === '.' || name === '' || name === '.') return false;
  return lowerAscii(pattern) === name;
}

/** Lower case of A to Z only: other letters are not the business of DNS. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Whether Go takes the text for a domain in a URI or a name constraint; in a constraint a dot in
 * front means "only what is below". The empty one is fine.
 */
export function isDomain(text: string, isConstraint: boolean): boolean {
  if (text === '') return true;
  if (text.endsWith('.')) return false;
  const name = isConstraint && text.startsWith('.') ? text.slice(1) : text;
  // A dot in front that is no constraint's is an odd, but accepted name for Go 1.26.
  const labels = name.split('.');
  return labels.every((label) => label !== '' && /^[\x21-\x7e]+$/.test(label));
}
