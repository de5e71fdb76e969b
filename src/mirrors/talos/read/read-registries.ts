/** Takes the registries out of documents that were checked; what does not fit is left out. */

import type { Path } from '../../../documents/problem.ts';
import type { Tree } from '../../../documents/tree.ts';
import { formatGoUrl } from '../../../oci/go-url/format.ts';
import { parseGoUrl } from '../../../oci/go-url/parse.ts';
import { Secret } from '../../../shared/secret.ts';
import type { Origin } from '../../finding.ts';
import type { TalosBehaviour } from '../behaviour.ts';
import { isMapping, readFlag } from './check-shape.ts';
import type { HostAuth, HostTls, Mirror, MirrorEndpoint, Registries } from './registries.ts';

/** One document of a configuration, or of a patch that is applied to it. */
export interface RegistrySource {
  readonly tree: Tree;
  readonly isPatch: boolean;
}

interface Growing {
  readonly mirrors: Map<string, Mirror>;
  readonly tls: Map<string, HostTls>;
  readonly auths: Map<string, HostAuth>;
}

/**
 * A patch adds its endpoints behind those of the same name and replaces single values; after that a
 * document counts instead of an entry of `machine.registries` with its name.
 * Source: siderolabs/talos pkg/machinery/config/container/container.go, RegistryMirrorConfigs.
 */
export function readRegistries(
  sources: readonly RegistrySource[],
  behaviour: Pick<TalosBehaviour, 'has'>,
): Registries {
  const below = empty();
  const documents = empty();
  for (const source of sources) {
    const { value } = source.tree;
    if (!isMapping(value)) continue;
    const part = new Part(source.tree, value, []);
    if (value['kind'] === undefined) readBelowMachine(part.at('machine').at('registries'), below);
    else readDocument(String(value['kind']), part, { into: documents, behaviour });
  }
  return {
    mirrors: new Map([...below.mirrors, ...documents.mirrors]),
    tls: new Map([...below.tls, ...documents.tls]),
    auths: new Map([...below.auths, ...documents.auths]),
  };
}

function empty(): Growing {
  return { mirrors: new Map(), tls: new Map(), auths: new Map() };
}

/** A value in its document, with its way to it. */
class Part {
  readonly #tree: Tree;
  readonly #value: unknown;
  readonly #path: Path;

  constructor(tree: Tree, value: unknown, path: Path) {
    this.#tree = tree;
    this.#value = value;
    this.#path = path;
  }

  at(key: string): Part {
    const value = isMapping(this.#value) ? this.#value[key] : undefined;
    return new Part(this.#tree, value, [...this.#path, key]);
  }

  entries(): readonly (readonly [name: string, part: Part])[] {
    return isMapping(this.#value) ? Object.keys(this.#value).map((key) => [key, this.at(key)]) : [];
  }

  /** Without the nulls: Go's YAML library drops them from a list. */
  items(): readonly Part[] {
    if (!Array.isArray(this.#value)) return [];
    return this.#value
      .map((item: unknown, at) => new Part(this.#tree, item, [...this.#path, at]))
      .filter(({ isSet }) => isSet);
  }

  get isSet(): boolean {
    return this.#value !== undefined && this.#value !== null;
  }

  /** Numbers as they are written: `5000` stays what it is. */
  get text(): string {
    if (typeof this.#value === 'string') return this.#value;
    return this.isSet && !isMapping(this.#value) ? (this.#tree.sourceOf(this.#path) ?? '') : '';
  }

  get secret(): Secret {
    return new Secret(this.text);
  }

  get flag(): boolean | undefined {
    return readFlag(this.#value);
  }

  get origin(): Origin {
    return { file: this.#tree.file, ...this.#tree.positionOf(this.#path) };
  }

  get keyOrigin(): Origin {
    return { file: this.#tree.file, ...this.#tree.keyPositionOf(this.#path) };
  }
}

function readBelowMachine(registries: Part, into: Growing): void {
  for (const [name, part] of registries.at('mirrors').entries()) {
    const overridePath = part.at('overridePath').flag === true;
    const endpoints = part.at('endpoints').items();
    addMirror(into, name, part, {
      origin: part.keyOrigin,
      endpoints: endpoints.map(({ text, origin }) => ({ url: text, overridePath, origin })),
    });
  }
  for (const [name, part] of registries.at('config').entries()) {
    const tls = part.at('tls');
    const form = { origin: part.keyOrigin, decode: decodeBase64, hasCa: tls.at('ca').isSet };
    if (tls.isSet) into.tls.set(name, readTls(name, tls, form));
    const auth = part.at('auth');
    if (auth.isSet) into.auths.set(name, readAuth(name, auth, auth.keyOrigin));
  }
}

interface DocumentContext {
  readonly into: Growing;
  readonly behaviour: Pick<TalosBehaviour, 'has'>;
}

function readDocument(kind: string, part: Part, { into, behaviour }: DocumentContext): void {
  const name = part.at('name').text;
  const { origin } = part.at('name');
  if (kind === 'RegistryAuthConfig') into.auths.set(name, readAuth(name, part, origin));
  if (kind === 'RegistryTLSConfig')
    into.tls.set(
      name,
      readTls(name, part, {
        origin,
        decode: (text) => text,
        hasCa: !behaviour.has('partial-trust-documents'),
      }),
    );
  if (kind !== 'RegistryMirrorConfig') return;
  const endpoints = part
    .at('endpoints')
    .items()
    .map(
      (item): MirrorEndpoint => ({
        url: asWrittenByGo(item.at('url').text),
        overridePath: item.at('overridePath').flag === true,
        origin: item.at('url').origin,
      }),
    );
  addMirror(into, name, part, { origin, endpoints });
}

/** A document keeps the URL parsed and writes it anew: `HTTPS://m.example/#` → `https://m.example/`. */
function asWrittenByGo(text: string): string {
  const parsed = parseGoUrl(text);
  return parsed.ok ? formatGoUrl(parsed.url) : text;
}

function addMirror(
  { mirrors }: Growing,
  name: string,
  part: Part,
  { origin, endpoints }: Pick<Mirror, 'origin' | 'endpoints'>,
): void {
  const old = mirrors.get(name);
  const skipFallback = part.at('skipFallback').flag ?? old?.skipFallback ?? false;
  const all = [...(old?.endpoints ?? []), ...endpoints];
  mirrors.set(name, { name, endpoints: all, skipFallback, origin: old?.origin ?? origin });
}

interface TlsForm {
  readonly origin: Origin;
  decode(text: string): string;
  /** True where authorities that are not named are an empty list of them. */
  readonly hasCa?: boolean;
}

function readTls(name: string, part: Part, { origin, decode, hasCa = false }: TlsForm): HostTls {
  const ca = part.at('ca').text;
  const client = part.at('clientIdentity');
  const certificate = client.at('crt').isSet ? client.at('crt') : client.at('cert');
  const skip = part.at('insecureSkipVerify');
  return {
    name,
    ...((ca !== '' || hasCa) && { ca: decode(ca) }),
    ...(client.isSet && {
      client: { certificate: decode(certificate.text), key: decode(client.at('key').text) },
    }),
    skipVerify: skip.flag === true,
    skipVerifyOrigin: skip.keyOrigin,
    origin,
  };
}

/** Below `machine.registries` certificates are base64 of PEM. */
function decodeBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}

function readAuth(name: string, part: Part, origin: Origin): HostAuth {
  return {
    name,
    username: part.at('username').text,
    password: part.at('password').secret,
    auth: part.at('auth').secret,
    identityToken: part.at('identityToken').secret,
    origin,
  };
}
