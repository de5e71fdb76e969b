import assert from 'node:assert/strict';
import test from 'node:test';
import { undescribedFields } from '../../test/support/undescribed-fields.ts';
import { formatProblems } from '../documents/format-problems.ts';
import { jsonSchemaFor } from '../documents/json-schema.ts';
import { collectDocuments, readDocuments } from '../documents/read-documents.ts';
import { siteKind } from './check-site.ts';

const example = `apiVersion: slipway.dev/v1alpha1
kind: Site
metadata: {name: plant-7}
spec:
  mode: offline
  sources: per-class                              # or single: today's one registry
  registries:
    main:
      address: harbor.plant7.example/platform     # host[:port][/project]
      seenFrom: {host: "127.0.0.1:11443", bootstrap: "172.18.0.1:11443", nodes: "10.0.0.5:11443"}
      publish: [keep-path, flat]                  # the names under which each image can be pulled
      trust: {ca: ca/site.pem}
      credentials: {file: secrets/harbor}         # by reference, never in clear
  clusters:
    bootstrap:  {runtime: containerd}             # its version comes from the Release
    management: {runtime: containerd}
    workload:   {runtime: k3s@v1.28.8+k3s1, method: redirect}   # not installed by us
`;

function shown(find: string, replacement: string): string[] {
  assert.ok(example.includes(find), `the example holds ${find}`);
  const content = example.replace(find, replacement);
  const { problems } = collectDocuments([{ file: 'site.yaml', content }], [siteKind]);
  return formatProblems(problems)
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replaceAll(/ {2,}/g, '  '));
}

test('the example of the documentation is right', () => {
  const [site] = readDocuments(example, 'site.yaml', [siteKind]);

  assert.equal(site?.value.spec.clusters?.workload?.runtime, 'k3s@v1.28.8+k3s1');
});

const address = 'address: harbor.plant7.example/platform ';
const publish = 'publish: [keep-path, flat] ';
const trust = 'trust: {ca: ca/site.pem}';
const cases: ReadonlyArray<
  readonly [claim: string, find: string, put: string, lines: readonly string[]]
> = [
  ['an IPv6 address with a port', address, 'address: "[2001:db8::1]:5000/a/b" ', []],
  ['plain HTTP without trust', trust, 'plainHttp: true', []],
  ['further hosts', 'mode: offline', 'mode: offline\n  allow: [ntp.example, "10.0.0.1:53"]', []],
  [
    'an address with a scheme',
    address,
    'address: https://harbor.plant7.example/platform/ ',
    [
      'site.yaml:9:16  "https://harbor.plant7.example/platform/" is not a registry address  SITE_ADDRESS_INVALID',
      '  write: harbor.plant7.example/platform',
    ],
  ],
  [
    'an address over http',
    address,
    'address: http://harbor.plant7.example ',
    [
      'site.yaml:9:16  "http://harbor.plant7.example" is not a registry address  SITE_ADDRESS_INVALID',
      '  write: harbor.plant7.example and beside it plainHttp: true',
    ],
  ],
  [
    'an address with upper case',
    address,
    'address: Harbor.example ',
    [
      'site.yaml:9:16  "Harbor.example" is not a registry address  SITE_ADDRESS_INVALID',
      '  write host[:port][/project] in lower case, e.g. harbor.example/platform',
    ],
  ],
  [
    'a port that does not exist',
    '10.0.0.5:11443',
    '10.0.0.5:70000',
    [
      'site.yaml:10:81  "10.0.0.5:70000" is not the address of a host  SITE_ADDRESS_INVALID',
      '  write host[:port] in lower case',
    ],
  ],
  [
    'another project from elsewhere',
    '10.0.0.5:11443',
    '10.0.0.5/other',
    [
      'site.yaml:10:81  "10.0.0.5/other" is not the address of a host  SITE_ADDRESS_INVALID',
      '  write host[:port] only; the project is that of "address"',
    ],
  ],
  [
    'a place that is none',
    'nodes: ',
    'node: ',
    [
      'site.yaml:10:74  unknown field "node" in spec.registries.main.seenFrom; did you mean "nodes" (text)?  DOC_UNKNOWN_FIELD',
    ],
  ],
  [
    'a layout that is none',
    publish,
    'publish: [keep-paths, flat] ',
    [
      'site.yaml:11:17  "keep-paths" is not allowed in spec.registries.main.publish[0]; did you mean "keep-path"?  DOC_BAD_VALUE',
      '  one of: keep-path, flat, keep-host, projects',
    ],
  ],
  [
    'a layout twice',
    publish,
    'publish: [keep-path, keep-path] ',
    ['site.yaml:11:28  "keep-path" is listed twice  SITE_CONFLICT', '  take one of them away'],
  ],
  [
    'projects without their mapping',
    publish,
    'publish: [keep-path, projects] ',
    [
      'site.yaml:11:28  publish: projects needs the mapping "projects" beside it  SITE_CONFLICT',
      '  add it, e.g. projects: {docker.io: hub, self-built: own}',
    ],
  ],
  [
    'a mapping of projects that nobody reads',
    publish,
    'projects: {self-built: own}\n      publish: [keep-path] ',
    [
      'site.yaml:11:7  "projects" has no effect without publish: [projects]  SITE_CONFLICT',
      '  add projects to "publish", or take "projects" away',
    ],
  ],
  [
    'plain HTTP with a CA',
    trust,
    `${trust}\n      plainHttp: true`,
    [
      'site.yaml:12:7  "trust" has no effect with plainHttp: true, since there is no TLS  SITE_CONFLICT',
      '  take one of the two away',
    ],
  ],
  [
    'one registry under two names',
    '    main:\n',
    '    other: {address: harbor.plant7.example/platform}\n    main:\n',
    [
      'site.yaml:10:16  "main" has the address of "other"; one registry is listed once  SITE_CONFLICT',
      '  list its other names under "publish" of "other"',
    ],
  ],
  [
    'a password in clear',
    '{file: secrets/harbor}',
    '{file: secrets/harbor, password: hunter2}',
    [
      'site.yaml:13:43  "password" in spec.registries.main.credentials: secrets are never written into a document  DOC_SECRET_IN_CLEAR',
      '  take it out and change it, since it may have been seen; refer to it instead (file, dockerConfig)',
    ],
  ],
  [
    'a mistyped runtime',
    'bootstrap:  {runtime: containerd}',
    'bootstrap:  {runtime: contanerd}',
    [
      'site.yaml:15:27  "contanerd" is not a runtime: it is none of containerd, k3s, rke2, cri-o, docker, podman, talos; did you mean "containerd"?  SITE_RUNTIME_INVALID',
    ],
  ],
  [
    'k3s without its version',
    'k3s@v1.28.8+k3s1',
    'k3s',
    [
      'site.yaml:17:27  "k3s" needs its version, since the Release does not install it  SITE_RUNTIME_INVALID',
      '  write: k3s@v1.28.8+k3s1',
    ],
  ],
  [
    'an incomplete version',
    'management: {runtime: containerd}',
    'management: {runtime: containerd@2.1}',
    [
      'site.yaml:16:27  "containerd@2.1" is not a runtime: its version is not complete, such as 2.1.1  SITE_RUNTIME_INVALID',
    ],
  ],
  [
    'rendered names that a registry publishes (R0-51)',
    'management: {runtime: containerd}',
    'management: {runtime: containerd, method: render}',
    [],
  ],
  [
    'redirection to a registry with flat names only (R0-51)',
    publish,
    'publish: [flat] ',
    [
      'site.yaml:17:53  method: redirect asks for names that no registry publishes  SITE_METHOD_UNSERVED',
      '  add to "publish" of a registry: keep-path or keep-host or projects',
    ],
  ],
  [
    'a second registry, per class',
    '  clusters:\n',
    '    second: {address: h.example}\n  clusters:\n',
    [],
  ],
  [
    'a single source that is not one (R0-88)',
    "sources: per-class                              # or single: today's one registry\n  registries:\n",
    'sources: single\n  registries:\n    second: {address: h.example}\n',
    [
      'site.yaml:6:12  "single" takes everything from one registry, but second and main are listed  SITE_CONFLICT',
      '  keep one of them, or write: per-class',
    ],
  ],
  [
    'allow without effect',
    'mode: offline',
    'mode: online\n  allow: ["ntp.example/x"]',
    [
      'site.yaml:6:3  "allow" has no effect online, where nodes may reach every host  SITE_CONFLICT',
      '  take it away, or write mode: offline',
      'site.yaml:6:11  "ntp.example/x" is not the address of a host  SITE_ADDRESS_INVALID',
      '  write host[:port] in lower case',
    ],
  ],
];

for (const [claim, find, put, lines] of cases) {
  test(`a Site with ${claim}: ${lines.length === 0 ? 'right' : 'refused'}`, () => {
    assert.deepEqual(shown(find, put), lines);
  });
}

test('an offline Site without a registry is refused', () => {
  const content =
    'apiVersion: slipway.dev/v1alpha1\nkind: Site\nmetadata: {name: a}\nspec: {mode: offline, sources: single, registries: {}}\n';

  const { problems } = collectDocuments([{ file: 's.yaml', content }], [siteKind]);

  assert.deepEqual(
    problems.map((problem) => problem.code),
    ['SITE_REGISTRY_MISSING'],
  );
});

test('online, a single source has to be listed too (R0-88)', () => {
  const content =
    'apiVersion: slipway.dev/v1alpha1\nkind: Site\nmetadata: {name: a}\nspec: {mode: online, sources: single, registries: {}}\n';

  const { problems } = collectDocuments([{ file: 's.yaml', content }], [siteKind]);

  assert.match(
    formatProblems(problems),
    /^s\.yaml:4:31 +"single" takes .* but none is listed +SITE_CONFLICT\n/,
  );
});

test('the JSON Schema of Site describes every field and refuses others', () => {
  const schema = jsonSchemaFor(siteKind);

  assert.equal(schema.title, 'Site');
  assert.equal(schema.additionalProperties, false);
  assert.deepEqual(undescribedFields(schema), []);
});
