/** Small configurations that were once read differently, and their neighbours; recorded for `npm test`. */

import { readFileSync } from 'node:fs';

const pem = readFileSync(
  new URL('../../../src/mirrors/talos/testdata/authority.pem', import.meta.url),
  'utf8',
);
const ca = `ca: ${JSON.stringify(pem)}\n`;

function below(registries: string): string {
  return `version: v1alpha1\nmachine:\n  registries: ${registries}\n`;
}

function document(kind: string, ...lines: readonly string[]): string {
  return `apiVersion: v1alpha1\nkind: ${kind}\nname: m.example\n${lines.join('\n')}\n`;
}

/** What is said of each → the text of the configuration. */
export const differences: Readonly<Record<string, string>> = {
  'an empty file is no configuration': '',
  'a machine that is a list': 'version: v1alpha1\nmachine: []\n',
  'a null among endpoints is dropped': below(
    '{mirrors: {a.example: {endpoints: [null, b.example]}}}',
  ),
  'an endpoint that is no URL': below(
    '{mirrors: {a.example: {endpoints: [https://m.example/%zz]}}}',
  ),
  'logins in the order of their hosts': below(
    '{config: {docker.io: {auth: {username: a}}, index.docker.io: {auth: {username: b}}}}',
  ),
  'two names of one host, of which the last counts': below(
    '{config: {registry-1.docker.io: {auth: {username: b}}, docker.io: {auth: {username: a}}}}',
  ),
  'authorities that are an empty text': below('{config: {m.example: {tls: {ca: ""}}}}'),
  'authorities that are null': below('{config: {m.example: {tls: {ca: null}}}}'),
  'a document without its version': 'kind: RegistryMirrorConfig\nname: a.example\n',
  'a URL is written anew in a document': document(
    'RegistryMirrorConfig',
    'endpoints: [{url: HTTPS://M.example}, {url: "https://m.example/a b"}, {url: "https://n.example/#"}]',
  ),
  'a login in two forms': document('RegistryAuthConfig', 'username: a', 'identityToken: b'),
  'a login in three forms': document('RegistryAuthConfig', 'auth: a', 'username: b'),
  'a document with authorities only': document('RegistryTLSConfig', ca),
  'a document with authorities that are none': document('RegistryTLSConfig', 'ca: x'),
  'a document with a client certificate that is none': document(
    'RegistryTLSConfig',
    'clientIdentity: {cert: x, key: y}',
  ),
};
