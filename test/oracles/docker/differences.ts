/** Small nodes for what was once different; record.ts writes what Docker says about them. */

import type { World } from './world.ts';

const addresses = { localhost: ['127.0.0.1', '::1'] };

/** What it is about, and the node. */
export const differences: readonly (readonly [name: string, world: World])[] = [
  one('an IPv6 network does not hold IPv4 addresses', { insecure: ['::/0'] }, ['10.1.2.3:5000']),
  one('the IPv6 loopback was not always insecure', { mirrors: ['https://[::1]:5000'] }, [
    '[::1]:5000',
  ]),
  one('networks do not count for mirrors before 28', {
    mirrors: ['https://10.1.2.3:5000'],
    insecure: ['10.0.0.0/8'],
  }),
  one(
    'a loopback mirror is asked over HTTP only before 28',
    { mirrors: ['https://127.0.0.1:5000/hub'] },
    ['127.0.0.1:5000'],
  ),
  one('a path keeps its escapes, and its dots', {
    mirrors: ['https://m1.example.net/a%20b', 'https://m1.example.net/a/../b'],
  }),
  one('a bad mirror is named at another time', { mirrors: ['ftp://m1.example.net'] }),
  one('a bad insecure registry is named when the daemon starts', { insecure: ['a/b'] }),
  text('a number must be whole', '{"mtu": 1.5}'),
  text('a key in another letter case is read, if it is not refused', '{"Registry-Mirrors": {}}'),
  text('an item of a list must be a text', '{"hosts": ["a", 1]}'),
  text('a value of log-opts must be a text', '{"log-opts": {"max-file": 3}}'),
  text('an address of dns that is none ends the reading', '{"mtu": 1.5, "dns": [1, "a"]}'),
  text('null among the addresses of dns', '{"dns": [null]}'),
  text('debug is a key', '{"debug": true}'),
  one('a mirror without a host', { mirrors: ['https://', 'http:///hub'] }),
  one('a query and a fragment that are empty', {
    mirrors: ['https://m1.example.net/?', 'https://m1.example.net/#'],
  }),
  text('bytes that are no UTF-8', '{"mtu": 1\xff}'),
  files('a key without its certificate', { 'certs.d/quay.io/x.key': '' }),
  files('a certificate without its key', { 'certs.d/quay.io/x.cert': '' }),
  files(
    'certificates of an insecure registry, before 28',
    { 'certs.d/reg.example.com/x.key': '' },
    'reg.example.com',
  ),
];

interface Settings {
  readonly mirrors?: readonly string[];
  readonly insecure?: readonly string[];
}

function one(
  name: string,
  { mirrors = [], insecure = [] }: Settings,
  more: readonly string[] = [],
) {
  const settings = { 'registry-mirrors': mirrors, 'insecure-registries': insecure };
  return text(name, JSON.stringify(settings), more);
}

function text(name: string, daemon: string, more: readonly string[] = []) {
  const world = { files: { 'daemon.json': daemon }, addresses, registries: ['docker.io', ...more] };
  return [name, world] as const;
}

function files(name: string, placed: World['files'], registry = 'quay.io') {
  const daemon = { 'daemon.json': '{"insecure-registries": ["reg.example.com"]}' };
  return [name, { files: { ...daemon, ...placed }, addresses, registries: [registry] }] as const;
}
