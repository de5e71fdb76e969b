import assert from 'node:assert/strict';
import test from 'node:test';
import { formatProblems } from '../documents/format-problems.ts';
import { collectDocuments, readDocuments } from '../documents/read-documents.ts';
import { sourcePolicyKind } from './check-policy.ts';

const example = `apiVersion: slipway.dev/v1alpha1
kind: SourcePolicy
metadata: {name: openfuyao}
spec:
  classes:
    self-built:      {registries: [cr.openfuyao.cn/openfuyao]}
    redistributable: {registries: [hub.oepkgs.net/openfuyao], licences: {allow: [Apache-2.0, MIT, BSD-3-Clause, MulanPSL-2.0], review: ["GPL-*"]}}
    upstream-only:   {registries: ["*"], redistribute: never}     # may go into a bundle for one's own use
  registries:
    cr.openfuyao.cn: {trust: {ca: ca/cr.pem}, credentials: {dockerConfig: true}}
`;

function shown(find: string, replacement: string): string[] {
  assert.ok(example.includes(find), `the example holds ${find}`);
  const content = example.replace(find, replacement);
  const { problems } = collectDocuments([{ file: 'policy.yaml', content }], [sourcePolicyKind]);
  return formatProblems(problems)
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replaceAll(/ {2,}/g, '  '));
}

test('the example of the documentation is right', () => {
  const [policy] = readDocuments(example, 'policy.yaml', [sourcePolicyKind]);

  assert.equal(policy?.value.spec.classes['upstream-only']?.redistribute, 'never');
});

const access = '{trust: {ca: ca/cr.pem}, credentials: {dockerConfig: true}}';
const cases: ReadonlyArray<
  readonly [claim: string, find: string, put: string, lines: readonly string[]]
> = [
  ['an endpoint with a path', access, '{endpoint: "http://127.0.0.1:5001/proxy"}', []],
  [
    'a client certificate with its key',
    access,
    '{trust: {clientCertificate: a.pem, clientKey: b.pem}}',
    [],
  ],
  ['a registry with a port and a path', 'cr.openfuyao.cn: ', 'localhost:5000/a-b/c: ', []],
  [
    'a password in clear',
    'dockerConfig: true',
    'username: admin, password: hunter2',
    [
      'policy.yaml:10:60  spec.registries["cr.openfuyao.cn"].credentials must have exactly one of file and dockerConfig  DOC_BAD_VALUE',
      'policy.yaml:10:61  unknown field "username" in spec.registries["cr.openfuyao.cn"].credentials  DOC_UNKNOWN_FIELD',
      '  known here: file, dockerConfig',
      'policy.yaml:10:78  "password" in spec.registries["cr.openfuyao.cn"].credentials: secrets are never written into a document  DOC_SECRET_IN_CLEAR',
      '  take it out and change it, since it may have been seen; refer to it instead (file, dockerConfig)',
    ],
  ],
  [
    'an approval of what is no image, and one twice',
    '  registries:\n',
    `  approvals:
    - {name: "quay.io/a b", by: legal, because: it is fine}
    - {name: nginx, licence: MIT, by: legal, because: it is fine}
    - {name: docker.io/library/nginx, licence: MIT, by: others, because: it is fine}
    - {name: docker.io/library/nginx, licence: GPL-2.0-only, by: others, because: it is fine}
  registries:
`,
    [
      'policy.yaml:10:14  "quay.io/a b" is not the name of an image: invalid reference format  IMAGE_REFERENCE_INVALID',
      '  write registry/path, or registry/path:tag for one version',
      'policy.yaml:12:14  "docker.io/library/nginx" is approved twice  POLICY_CONFLICT',
      '  keep the one that counts',
    ],
  ],
  [
    'an approval by nobody',
    '  registries:\n',
    '  approvals: [{name: quay.io/a/b, because: it is fine}]\n  registries:\n',
    [
      'policy.yaml:9:15  spec.approvals[0] lacks "by" (text)  DOC_MISSING_FIELD',
      '  who has looked, e.g. legal@openfuyao.example',
    ],
  ],
  [
    'two places for one login',
    'dockerConfig: true',
    'dockerConfig: true, file: a',
    [
      'policy.yaml:10:60  spec.registries["cr.openfuyao.cn"].credentials must have exactly one of file and dockerConfig  DOC_BAD_VALUE',
    ],
  ],
  [
    'a login in an endpoint, which is not repeated',
    access,
    '{endpoint: "https://u:hunter2@host"}',
    [
      'policy.yaml:10:33  spec.registries["cr.openfuyao.cn"].endpoint holds a login, a token or a signature: secrets are never written into a document  DOC_SECRET_IN_CLEAR',
      '  take it out and change it, since it may have been seen; logins of hosts are referred to in the SourcePolicy (registries.HOST.credentials)',
    ],
  ],
  [
    'an endpoint that is not http',
    access,
    '{endpoint: "registry.example:5000"}',
    [
      'policy.yaml:10:33  "registry.example:5000" is not an http or https URL (spec.registries["cr.openfuyao.cn"].endpoint)  DOC_BAD_VALUE',
    ],
  ],
  [
    'a client certificate without its key',
    'ca: ca/cr.pem',
    'clientCertificate: a.pem',
    [
      'policy.yaml:10:30  spec.registries["cr.openfuyao.cn"].trust has only one of clientCertificate and clientKey; give both or none  DOC_BAD_VALUE',
    ],
  ],
  [
    'a registry with a scheme',
    '[cr.openfuyao.cn/openfuyao]',
    '["https://cr.openfuyao.cn"]',
    [
      'policy.yaml:6:36  "https://cr.openfuyao.cn" is not a registry: write host[:port][/path], in lower case, without a scheme (spec.classes.self-built.registries[0])  DOC_BAD_VALUE',
    ],
  ],
  [
    'a registry in two classes',
    '[hub.oepkgs.net/openfuyao]',
    '[cr.openfuyao.cn/openfuyao]',
    [
      'policy.yaml:7:36  "cr.openfuyao.cn/openfuyao" belongs to class "self-built" already  POLICY_CONFLICT',
      '  list it in one class; a longer start, such as HOST/PROJECT, may be in another',
    ],
  ],
  [
    'licences that would not be looked at',
    'redistribute: never',
    'redistribute: never, licences: {allow: [MIT]}',
    [
      'policy.yaml:8:56  class "upstream-only" has licences, but redistribute: never decides without them  POLICY_CONFLICT',
      '  write redistribute: by-licence, or take "licences" away',
    ],
  ],
  [
    'a decision by licence without licences',
    'redistribute: never',
    'redistribute: by-licence',
    [
      'policy.yaml:8:56  class "upstream-only" decides by licence, but has no "licences"  POLICY_CONFLICT',
      '  add "licences" with "allow", or write always or never',
    ],
  ],
  [
    'a mistyped decision',
    'redistribute: never',
    'redistribute: nevr',
    [
      'policy.yaml:8:56  "nevr" is not allowed in spec.classes.upstream-only.redistribute; did you mean "never"?  DOC_BAD_VALUE',
      '  one of: always, by-licence, never',
    ],
  ],
];

for (const [claim, find, put, lines] of cases) {
  test(`a SourcePolicy with ${claim}: ${lines.length === 0 ? 'right' : 'refused'}`, () => {
    assert.deepEqual(shown(find, put), lines);
  });
}
