/** One mistake in a hosts.toml each, and the file as it should be. */

import type { LintCase } from '../lint-case.ts';
import { serverCertificate } from '../server-certificate.ts';
import {
  ABLE,
  type CaseOptions,
  type Files,
  GOOD,
  MIRROR,
  node,
  OFFLINE,
  oldNode,
  ROOT,
  SERVER,
} from './nodes.ts';

type HostsSpec = readonly [
  rule: LintCase['rule'],
  what: string,
  texts: readonly [wrong: string, right: string],
  /** 0 for the file as a whole. */
  line: number | string,
  options?: CaseOptions,
];

const pem = await serverCertificate();

/** Below the good file, a second mirror. */
function second(header: string, ...lines: readonly string[]): string {
  return `${GOOD}[host."${header}"]\n${ABLE}${lines.map((line) => `  ${line}\n`).join('')}`;
}

const whole = second('https://n.example');

/** No registry but the mirrors is reached, whichever is asked for. */
const closedSite: CaseOptions = {
  mode: 'offline',
  files: { '../_default/hosts.toml': OFFLINE },
};

const specs: readonly HostsSpec[] = [
  ['C002', 'a value without quotes (section 11, row 10)', ['server = x\n', GOOD], '1:10'],
  ['C002', 'YAML under the right name (section 11, row 3)', ['server: x\n', GOOD], 1],
  ['C002', 'a word that is no capability', [GOOD.replace('"resolve"', '"fetch"'), GOOD], 4],
  ['C002', 'a capability that is misspelt', [GOOD.replace('"pull"', '"Pulls"'), GOOD], 4],
  ['C002', 'a flag in quotes', [second('https://n.example', 'override_path = "false"'), whole], 7],
  ['C002', 'referrers before 2.2', [GOOD.replace('"resolve"', '"resolve", "referrers"'), GOOD], 4],
  [
    'C003',
    'the key of k3s for unchecked certificates (section 11, row 18)',
    [
      second('https://n.example', 'insecure_skip_verify = true'),
      second('https://n.example', 'ca = "ca.pem"'),
    ],
    '7:3',
    { files: { 'ca.pem': pem.ca } },
  ],
  [
    'C003',
    'plain_http',
    [second('https://n.example', 'plain_http = true'), second('http://n.example')],
    7,
  ],
  ['C003', 'rewrite', [second('https://n.example', 'rewrite = "a"'), whole], 7],
  ['C003', 'a key at the top', [`insecure = true\n${GOOD}`, GOOD], 1],
  ['C003', 'a misspelt key', [whole.replace('capabilities', 'capabilites'), whole], 4],
  ['C003', 'a table that is called hosts', [GOOD.replace('[host.', '[hosts.'), GOOD], 3],
  [
    'C003',
    'dial_timeout in 1.7',
    [second('https://n.example', 'dial_timeout = "3s"'), whole],
    7,
    { version: '1.7.34' },
  ],
  ['C004', 'a web site as mirror', [second('https://hub.docker.com'), whole], 5],
  ['C004', '* as server', [`server = "*"\n${MIRROR}`, GOOD], 1],
  ['C005', 'no server', [MIRROR, GOOD], 0],
  ['C005', 'the registry itself, offline (section 11, row 12)', [GOOD, OFFLINE], 1, closedSite],
  ...['https://REGISTRY', 'http://REGISTRY:80', 'https://REGISTRY.', 'https://REGISTRY:'].map(
    (url): HostsSpec => [
      'C005',
      `the registry itself, offline, as ${url}`,
      [`server = "${url}"\n${ABLE}${MIRROR}`, OFFLINE],
      1,
      closedSite,
    ],
  ),
  ...['https://REGISTRY', 'https://REGISTRY.:0443', 'https://REGISTRY:5000'].map(
    (url): HostsSpec => [
      'C005',
      `the registry itself, offline, as a mirror ${url}`,
      [OFFLINE.replace('[host]\n', `[host."${url}"]\n${ABLE}`), OFFLINE],
      4,
      closedSite,
    ],
  ),
  [
    'C006',
    'push for a mirror (section 11, row 6)',
    [GOOD.replace('"resolve"', '"resolve", "push"'), GOOD],
    4,
  ],
  ['C006', 'a mirror without capabilities', [GOOD.replace(ABLE, ''), GOOD], 3],
  ['C006', 'a server without capabilities', [OFFLINE.replace(/cap.*\n/, ''), OFFLINE], 1],
  ['C007', 'nobody resolves', [OFFLINE.replace('"pull", "resolve"', '"pull"'), OFFLINE], 2],
  [
    'C008',
    'a path below /v2 without override_path',
    [second('https://n.example/v2/x'), second('https://n.example/v2/x', 'override_path = true')],
    5,
  ],
  ['C008', 'override_path alone', [second('https://n.example', 'override_path = true'), whole], 7],
  [
    'C008',
    'override_path and a path without /v2',
    [
      second('https://n.example/x', 'override_path = true'),
      second('https://n.example/v2/x', 'override_path = true'),
    ],
    7,
  ],
  [
    'C009',
    'no scheme, and a name like one',
    [second('httpcache.example'), second('https://httpcache.example')],
    5,
  ],
  ['C009', 'capital letters', [second('HTTPS://n.example'), whole], 5],
  ['C009', 'another scheme', [second('oci://n.example'), whole], 5],
  [
    'C009',
    'a server without a scheme, and a name like one',
    [
      `server = "http-proxy.example:5000"\n${MIRROR}`,
      `server = "https://http-proxy.example:5000"\n${ABLE}${MIRROR}`,
    ],
    1,
  ],
  [
    'C010',
    'an authority that is not there',
    [second('https://n.example', 'ca = "nope.pem"'), second('https://n.example', 'ca = "ca.pem"')],
    '7:8',
    { files: { 'ca.pem': pem.ca } },
  ],
  [
    'C010',
    'the second of two authorities',
    [
      second('https://n.example', 'ca = ["ca.pem", "text.pem"]'),
      second('https://n.example', 'ca = ["ca.pem"]'),
    ],
    '7:19',
    { files: { 'ca.pem': pem.ca, 'text.pem': 'text' } },
  ],
  [
    'C011',
    'a flat list of certificate and key',
    [
      second('https://n.example', 'client = ["n.pem", "n.key"]'),
      second('https://n.example', 'client = [["n.pem", "n.key"]]'),
    ],
    7,
    { files: { 'n.pem': pem.tls.cert, 'n.key': pem.tls.key } },
  ],
  [
    'C012',
    'skip_verify = false for http',
    [second('http://n.example', 'skip_verify = false'), second('http://n.example')],
    7,
  ],
  [
    'C012',
    'dial_timeout for http in 2.0.11',
    [second('http://n.example', 'dial_timeout = "3s"'), second('http://n.example')],
    7,
    { version: '2.0.11' },
  ],
  [
    'C013',
    'an inline table',
    [`${SERVER}host = { "https://m.example" = { ca = "x" } }\n`, GOOD],
    2,
  ],
  ['C013', 'a dotted key', [`${SERVER}host."https://m.example".ca = "x"\n`, GOOD], 2],
  [
    'C013',
    'a header without quotes',
    [whole.replace('[host."https://n.example"]', '[host.n.example]'), whole],
    5,
  ],
  ['C013', 'a list of tables', [`${SERVER}[[host]]\n`, GOOD], 2],
  ['C013', 'the same header twice', [`${GOOD}${MIRROR}`, GOOD], 5],
  ['C014', 'server below a header', [`${MIRROR}${SERVER}`, `${SERVER}${MIRROR}`], 3],
  ['C014', 'capabilities of no server', [`capabilities = ["pull"]\n${MIRROR}`, GOOD], 1],
  [
    'C021',
    'no [host] in 1.7.31',
    [OFFLINE.replace('[host]\n', ''), OFFLINE],
    0,
    {
      version: '1.7.31',
    },
  ],
  ['C022', 'a byte order mark', [`\uFEFF${GOOD}`, GOOD], 1],
  [
    'C022',
    'an IPv6 address in 1.7',
    [second('https://[fd00::1]:5000'), whole],
    5,
    {
      version: '1.7.34',
    },
  ],
  ['C023', 'a login in a URL', [second('https://u:p@n.example'), whole], 5],
  ['C023', 'a query', [second('https://n.example?ns=x'), whole], 5],
  ['C024', 'a mirror that is the registry', [second('https://REGISTRY'), whole], 5],
  [
    'C024',
    'two mirrors that differ in the usual port',
    [second('https://m.example:443'), whole],
    5,
  ],
  [
    'C024',
    'a table that is opened again behind another host',
    [
      `${whole}[host."https://m.example".header]\nX-Site = "a"\n`,
      `${GOOD}[host."https://m.example".header]\nX-Site = "a"\n`,
    ],
    7,
  ],
  ['C023', 'a fragment', [second('https://n.example#x'), whole], 5],
  [
    'C026',
    'a login that is not encoded',
    [
      `${whole}[host."https://n.example".header]\nAuthorization = "Basic user:secret"\n`,
      `${whole}[host."https://n.example".header]\nAuthorization = "Basic dXNlcjpzZWNyZXQ="\n`,
    ],
    8,
  ],
  [
    'C026',
    'a login over plain HTTP',
    [
      `${second('http://n.example')}[host."http://n.example".header]\nAuthorization = "Basic dXNlcjpzZWNyZXQ="\n`,
      `${second('https://n.example')}[host."https://n.example".header]\nAuthorization = "Basic dXNlcjpzZWNyZXQ="\n`,
    ],
    8,
  ],
  [
    'C029',
    'a key below [host] that 1.7 panics at',
    [`${SERVER}[host]\nca = "x"\n${MIRROR}`, GOOD],
    3,
    { version: '1.7.34' },
  ],
  ['C033', 'a mirror that may only resolve', [GOOD.replace('"pull", ', ''), GOOD], 4],
  ['C033', 'a mirror that may only pull', [GOOD.replace(', "resolve"', ''), GOOD], 4],
  ['C034', 'a file of comments', ['# nothing\n', GOOD], 0],
  ['C034', 'an empty file', ['', GOOD], 0],
  [
    'C036',
    'the registry itself with its usual port',
    [`server = "https://REGISTRY:443"\n${ABLE}${MIRROR}`, `${SERVER}${MIRROR}`],
    1,
  ],
  [
    'C038',
    'a path in front of /v2',
    [second('https://n.example/x'), second('https://n.example/v2/x', 'override_path = true')],
    5,
  ],
  [
    'S001',
    'certificates that are not checked',
    [
      second('https://n.example', 'skip_verify = true'),
      second('https://n.example', 'ca = "ca.pem"'),
    ],
    7,
    { files: { 'ca.pem': pem.ca } },
  ],
];

/** The cases, each in the folder of a registry of its own. */
export const hostsCases: readonly LintCase[] = [
  {
    what: 'a web site as server (section 11, row 5)',
    rule: 'C004',
    wrong: node('docker.io', `server = "https://docker.io"\n${MIRROR}`),
    right: node('docker.io', `server = "https://registry-1.docker.io"\n${MIRROR}`),
    at: `${ROOT}/docker.io/hosts.toml:1`,
  },
  ...specs.map(caseOf),
];

function caseOf([rule, what, texts, line, options = {}]: HostsSpec, index: number): LintCase {
  const registry = `r${index}.example`;
  const { files = {}, ...rest } = options;
  const place = options.version?.startsWith('1.') ? oldNode : node;
  const [wrong = '', right = ''] = texts.map((text) => text.replaceAll('REGISTRY', registry));
  const file = `${ROOT}/${registry}/hosts.toml`;
  const filesWith = (text: string): Files => place(registry, { ...files, 'hosts.toml': text });
  return {
    what,
    rule,
    wrong: filesWith(wrong),
    right: filesWith(right),
    at: line === 0 ? file : `${file}:${line}`,
    ...rest,
  };
}
