import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryTree } from '../../mirrors/memory-tree.ts';
import { proxyOfService } from './proxy-of-service.ts';
import { readServiceEnvironment } from './service-environment.ts';

const unit = '/usr/lib/systemd/system/containerd.service';
const dropIns = '/etc/systemd/system/containerd.service.d';

/** `Environment=A=b` of a service as its one setting. */
const service = (...lines: readonly string[]) => `[Service]\n${lines.join('\n')}\n`;

async function valuesOf(files: Readonly<Record<string, string>>) {
  const environment = await readServiceEnvironment(memoryTree(files), 'containerd.service');
  return Object.fromEntries(Array.from(environment, ([name, { value }]) => [name, value]));
}

const table: ReadonlyArray<{
  readonly claim: string;
  readonly files: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}> = [
  { claim: 'a node without the unit has no variables', files: {}, values: {} },
  {
    claim: 'words are split at spaces, quotes of both kinds and escapes are undone',
    files: {
      [unit]: service(String.raw`Environment="A=b c" 'D=e f' G=h"i j" K=l\sm N=50%% O="p\"q" word`),
    },
    values: { A: 'b c', D: 'e f', G: 'hi j', K: 'l m', N: '50%', O: 'p"q' },
  },
  {
    claim: 'a line goes on behind a backslash, past comments; other sections do not count',
    files: {
      [unit]: `[Unit]\nEnvironment=A=no\n[Service]\nEnvironment=A=b \\\n# a comment\n  C=d\n;E=f\n`,
    },
    values: { A: 'b', C: 'd' },
  },
  {
    claim: 'drop-ins come by name, whatever their folder, and an empty line begins anew',
    files: {
      [unit]: service('Environment=A=unit B=unit'),
      [`${dropIns}/20.conf`]: service('Environment=A=twenty'),
      '/usr/lib/systemd/system/containerd.service.d/10.conf': service(
        'Environment=',
        'Environment=A=ten',
      ),
      [`${dropIns}/30.txt`]: service('Environment=A=text'),
    },
    values: { A: 'twenty' },
  },
  {
    claim: 'the unit and a drop-in of /etc hide those of the same name in /usr/lib',
    files: {
      [unit]: service('Environment=A=vendor'),
      '/etc/systemd/system/containerd.service': service('Environment=B=admin'),
      '/usr/lib/systemd/system/containerd.service.d/x.conf': service('Environment=C=vendor'),
      [`${dropIns}/x.conf`]: service('Environment=D=admin'),
    },
    values: { B: 'admin', D: 'admin' },
  },
  {
    claim: 'files win over lines, lines over the manager, and what is unset is gone',
    files: {
      '/etc/systemd/system.conf': '[Manager]\nDefaultEnvironment=A=manager B=manager\n',
      [unit]: service(
        'EnvironmentFile=-/etc/missing',
        'EnvironmentFile=/etc/default/containerd',
        'Environment=B=line C=line D=line E=line',
        'UnsetEnvironment=D E=other',
      ),
      '/etc/default/containerd': `# one\nC="of the file" \n\nF = g h\n`,
    },
    values: { A: 'manager', B: 'line', C: 'of the file', E: 'line', F: 'g h' },
  },
];

for (const { claim, files, values } of table) {
  test(claim, async () => {
    assert.deepEqual(await valuesOf(files), values);
  });
}

test('a variable says which file set it', async () => {
  const tree = memoryTree({ [`${dropIns}/p.conf`]: service('Environment=A=b') });

  const environment = await readServiceEnvironment(tree, 'containerd.service');

  assert.equal(environment.get('A')?.file, `${dropIns}/p.conf`);
});

const proxies: ReadonlyArray<
  readonly [variables: string, url: string, proxy: string | undefined, name?: string]
> = [
  ['HTTPS_PROXY=http://p:3128', 'https://h.example', 'p:3128', 'HTTPS_PROXY'],
  ['HTTPS_PROXY=http://p:3128', 'http://h.example', undefined],
  ['https_proxy=p:3128/', 'https://h.example', 'p:3128', 'https_proxy'],
  ['https_proxy=small:1 HTTPS_PROXY=large:1', 'https://h.example', 'large:1', 'HTTPS_PROXY'],
  ['HTTP_PROXY=http://u:p%%40s/s@p:3128', 'http://h.example', 'p:3128', 'HTTP_PROXY'],
  ['HTTP_PROXY=http://p:1 NO_PROXY=.example', 'http://h.example', undefined],
  ['HTTP_PROXY=http://p:1', 'http://127.0.0.1:5000', undefined],
];

for (const [variables, url, host, name] of proxies) {
  test(`a runtime with ${variables} reaches ${url} through ${host ?? 'nobody'}`, async () => {
    const tree = memoryTree({ [unit]: service(`Environment=${variables}`) });

    const proxy = proxyOfService(
      await readServiceEnvironment(tree, 'containerd.service'),
      new URL(url),
    );

    const { address: _, ...shown } = proxy ?? {};
    assert.deepEqual(shown, host === undefined ? {} : { host, name, file: unit });
  });
}
