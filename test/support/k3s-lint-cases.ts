/** Wrong registries.yaml files with their corrected twins. */

import {
  base,
  CA,
  caFile,
  config,
  docker,
  file,
  type K3sCase,
  mirror,
  rewriteCase,
  template,
  tls,
  together,
  whole,
} from './k3s-lint-case.ts';
import { singleCases } from './k3s-lint-single-cases.ts';

const combinable: readonly K3sCase[] = [
  together(
    { what: 'endpoints for endpoint', rule: 'K001' },
    { mirrors: ['  a1.example:', '    endpoints:', '      - https://m.example'] },
    { mirrors: mirror('a1.example', 'https://m.example') },
    2,
  ),
  together(
    { what: 'a quote behind the key', rule: 'K001' },
    { mirrors: ['  a2.example:', '    endpoint":', '      - https://m.example'] },
    { mirrors: mirror('a2.example', 'https://m.example') },
    2,
  ),
  together(
    { what: 'a token, as a skeleton in the documentation has it', rule: 'K001' },
    { configs: config('a3.example', 'auth:', '  token: abc') },
    { configs: config('a3.example', 'auth:', '  identity_token: abc') },
    { configs: 3 },
  ),
  together(
    { what: 'the word of hosts.toml for unchecked certificates', rule: 'K001' },
    { configs: config('a4.example', ...tls('skip_verify: true')) },
    { configs: config('a4.example', ...caFile) },
    { configs: 3 },
  ),
  together(
    { what: 'tls under the name of the registry instead of the mirror', rule: 'K002' },
    {
      mirrors: mirror('b1.example', 'https://m1.example:443'),
      configs: config('b1.example', ...caFile),
    },
    {
      mirrors: mirror('b1.example', 'https://m1.example:443'),
      configs: config('"m1.example:443"', ...caFile),
    },
    { configs: 1 },
  ),
  together(
    { what: 'a port that no endpoint has', rule: 'K002' },
    {
      mirrors: mirror('b2.example', 'https://m2.example:443'),
      configs: config('"m2.example:40443"', ...caFile),
    },
    {
      mirrors: mirror('b2.example', 'https://m2.example:443'),
      configs: config('"m2.example:443"', ...caFile),
    },
    { configs: 1 },
  ),
  together(
    { what: 'a scheme in a key of configs', rule: 'K002' },
    {
      mirrors: mirror('b3.example', 'https://m3.example:5000'),
      configs: config('"https://m3.example:5000"', ...caFile),
    },
    {
      mirrors: mirror('b3.example', 'https://m3.example:5000'),
      configs: config('"m3.example:5000"', ...caFile),
    },
    { configs: 1 },
  ),
  together(
    { what: 'a registry with a scheme', rule: 'K003' },
    { mirrors: mirror('"https://c1.example"', 'https://m.example') },
    { mirrors: mirror('c1.example', 'https://m.example') },
    1,
  ),
  together(
    { what: 'a registry with a path', rule: 'K003' },
    { mirrors: mirror('c2.example/library', 'https://m.example') },
    { mirrors: mirror('c2.example', 'https://m.example') },
    1,
  ),
  together(
    { what: 'the old name of Docker Hub', rule: 'K003' },
    { mirrors: mirror('index.docker.io', 'https://m.example') },
    { mirrors: mirror('docker.io', 'https://m.example') },
    1,
  ),
  together(
    { what: 'a registry twice', rule: 'K004' },
    {
      mirrors: [
        ...mirror('d1.example', 'https://m.example'),
        ...mirror('d1.example', 'https://n.example'),
      ],
    },
    { mirrors: mirror('d1.example', 'https://n.example') },
    4,
  ),
  rewriteCase('a pattern that matches everywhere', 'e1.example', ['a', 'b'], ['^a/(.*)$', 'b/$1']),
  rewriteCase(
    'a pattern that also matches inside',
    'e2.example',
    ['x/(.*)', 'y/$1'],
    ['^x/(.*)', 'y/$1'],
  ),
  rewriteCase('a letter behind a group', 'e3.example', ['^x/(.*)', '$1y'], ['^x/(.*)', '$1/y']),
  rewriteCase('a group that is not there', 'e4.example', ['^x/(.*)', 'y/$2'], ['^x/(.*)', 'y/$1']),
  rewriteCase(
    'a reference of other languages',
    'e5.example',
    ['^x/(.*)', 'y/\\1'],
    ['^x/(.*)', 'y/$1'],
  ),
  rewriteCase('a look-ahead', 'e6.example', ['^(?!x/)(.*)', 'y/$1'], ['^z/(.*)', 'y/$1']),
  rewriteCase('a backslash', 'e7.example', ['^x\\.y/(.*)', 'y/$1'], ['^x[.]y/(.*)', 'y/$1']),
  rewriteCase(
    'a pattern in upper case',
    'e8.example',
    ['^Rancher/(.*)', 'y/$1'],
    ['^rancher/(.*)', 'y/$1'],
  ),
  rewriteCase('a new name in upper case', 'e9.example', ['^x/(.*)', 'Y/$1'], ['^x/(.*)', 'y/$1']),
  rewriteCase('a slash at the end', 'f1.example', ['^x/(.*)', 'y/$1/'], ['^x/(.*)', 'y/$1']),
  rewriteCase(
    'the registry in the pattern',
    'f2.example',
    ['^f2.example/(.*)', 'y/$1'],
    ['^(.*)$', 'y/$1'],
  ),
  rewriteCase(
    'no slash between two names',
    'f3.example',
    ['^x/(.*)$', 'y$1'],
    ['^x/(.*)$', 'y/$1'],
  ),
  rewriteCase(
    'Docker Hub without library/',
    'docker.io',
    ['^openssl$', 'y/openssl'],
    ['^library/openssl$', 'y/openssl'],
  ),
  together(
    { what: 'two patterns for one name', rule: 'K005' },
    {
      mirrors: mirror(
        'f4.example',
        'https://m.example',
        '    rewrite:',
        "      '^(.*)$': 'y/$1'",
        "      '^x/(.*)': 'z/$1'",
      ),
    },
    {
      mirrors: mirror(
        'f4.example',
        'https://m.example',
        '    rewrite:',
        "      '^w/(.*)': 'y/$1'",
        "      '^x/(.*)': 'z/$1'",
      ),
    },
    6,
  ),
  together(
    { what: 'rewrites for the registry itself', rule: 'K005' },
    {
      mirrors: mirror('f5.example', 'https://f5.example', '    rewrite:', "      '^(.*)$': 'y/$1'"),
    },
    {
      mirrors: mirror(
        'f5.example',
        'https://f5.example:443',
        '    rewrite:',
        "      '^(.*)$': 'y/$1'",
      ),
    },
    3,
  ),
  together(
    { what: 'offline, and the registry is asked last', rule: 'K008', mode: 'offline' },
    { mirrors: mirror('g1.example', 'https://m.example') },
    {},
    1,
  ),
  together(
    { what: 'a path without /v2', rule: 'C008' },
    { mirrors: mirror('h1.example', 'https://m.example/proxy') },
    { mirrors: mirror('h1.example', 'https://m.example/v2/proxy') },
    3,
  ),
  together(
    { what: 'no endpoint at all', rule: 'C009' },
    { mirrors: mirror('h2.example', '""') },
    { mirrors: mirror('h2.example', 'https://m.example') },
    3,
  ),
  together(
    { what: 'a scheme that is not asked', rule: 'C009' },
    { mirrors: mirror('h3.example', 'ftp://m.example') },
    { mirrors: mirror('h3.example', 'https://m.example') },
    3,
  ),
  together(
    { what: 'a CA file that is not there', rule: 'C010' },
    { configs: config('h4.example', ...tls('ca_file: /etc/ssl/not-there.pem')) },
    { configs: config('h4.example', ...caFile) },
    { configs: 3 },
  ),
  together(
    { what: 'tls for an http endpoint', rule: 'C012' },
    {
      mirrors: mirror('h5.example', 'http://m5.example:5000'),
      configs: config('"m5.example:5000"', ...caFile),
    },
    { mirrors: mirror('h5.example', 'http://m5.example:5000') },
    3,
  ),
  together(
    { what: 'a login in an endpoint', rule: 'C023' },
    { mirrors: mirror('h6.example', 'https://u:p@m.example') },
    { mirrors: mirror('h6.example', 'https://m.example') },
    3,
  ),
  together(
    { what: 'the registry itself in front of its mirror', rule: 'C024' },
    { mirrors: [...mirror('h7.example', 'https://h7.example'), '      - https://m.example'] },
    { mirrors: mirror('h7.example', 'https://m.example') },
    3,
  ),
  together(
    { what: 'a certificate that is not checked', rule: 'S001' },
    { configs: config('i1.example', ...tls('insecure_skip_verify: yes')) },
    { configs: config('i1.example', ...caFile) },
    { configs: 3 },
  ),
  together(
    { what: 'rewrites for rewrite', rule: 'K001' },
    { mirrors: mirror('j1.example', 'https://m.example', '    rewrites: {}') },
    { mirrors: mirror('j1.example', 'https://m.example') },
    4,
  ),
  together(
    { what: 'a blank in an endpoint', rule: 'C009' },
    { mirrors: mirror('j2.example', '"https://m example"') },
    { mirrors: mirror('j2.example', 'https://m.example') },
    3,
  ),
  together(
    { what: 'a file that is not there, for the client', rule: 'C010' },
    { configs: config('j3.example', ...tls(`cert_file: ${CA}`, 'key_file: /etc/ssl/no.key')) },
    { configs: config('j3.example', ...tls(`cert_file: ${CA}`, `key_file: ${CA}`)) },
    { configs: 4 },
  ),
  together(
    { what: 'a login for *', rule: 'K007' },
    { configs: config('"*"', 'auth: {username: u, password: p}') },
    { configs: config('j4.example', 'auth: {username: u, password: p}') },
    { configs: 1 },
  ),
  whole(
    { what: 'the wrong name', rule: 'C001', at: '/etc/rancher/k3s/registry.yaml' },
    { '/etc/rancher/k3s/registry.yaml': docker },
    file(docker),
  ),
  whole(
    { what: 'registry.mirrors in a template of one’s own', rule: 'C019', at: `${template}:2` },
    { [template]: `${base}[plugins."io.containerd.grpc.v1.cri".registry.mirrors."docker.io"]\n` },
    { [template]: base },
  ),
];

/** All of them. */
export const cases: readonly K3sCase[] = [...combinable, ...singleCases];
