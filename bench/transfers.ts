/** 300 MiB from a registry into a bundle and on into another registry, beside the programs that do the same. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { toolPath } from '../test/support/tools/build-tools.ts';
import { type Row, runCommand, slipwayCommand, timed } from './measure.ts';
import { pushBigImage, serveStore, writeDocuments } from './sample.ts';

interface Peer {
  readonly name: string;
  program(): Promise<string>;
  /** From a registry to an image layout. */
  fetch(program: string, from: string, layout: string): readonly string[];
  /** From an image layout to a registry. */
  send(program: string, layout: string, to: string): readonly string[];
}

const peers: readonly Peer[] = [
  {
    name: 'skopeo',
    program: async () => 'skopeo',
    fetch: (skopeo, from, layout) => [
      skopeo,
      'copy',
      '--src-tls-verify=false',
      `docker://${from}`,
      `oci:${layout}:v1`,
    ],
    send: (skopeo, layout, to) => [
      skopeo,
      'copy',
      '--dest-tls-verify=false',
      `oci:${layout}:v1`,
      `docker://${to}`,
    ],
  },
  {
    name: 'oras',
    program: () => toolPath('oras', 'oras'),
    fetch: (oras, from, layout) => [
      oras,
      'cp',
      '--from-plain-http',
      from,
      '--to-oci-layout',
      `${layout}:v1`,
    ],
    send: (oras, layout, to) => [
      oras,
      'cp',
      '--from-oci-layout',
      `${layout}:v1`,
      '--to-plain-http',
      to,
    ],
  },
  {
    name: 'crane',
    program: () => toolPath('crane', 'crane'),
    fetch: (crane, from, layout) => [crane, 'pull', '--insecure', '--format=oci', from, layout],
    send: (crane, layout, to) => [crane, 'push', '--insecure', layout, to],
  },
];

const fetching = 'fetch 300 MiB';
const sending = 'send 300 MiB';
const again = 'the same again';

/** All rows; the registry that is read from and the one that is written to are ours for everybody. */
export async function measureTransfers(folder: string): Promise<readonly Row[]> {
  const source = await serveStore(join(folder, 'source'));
  const target = await serveStore(join(folder, 'target'));
  try {
    await pushBigImage(source.url);
    await writeDocuments(folder, ['big:v1'], { source: source.url, target: target.host });
    const rows = [...(await measureSlipway(folder))];
    for (const peer of peers)
      rows.push(...(await measurePeer(peer, folder, source.host, target.host)));
    return rows.toSorted((a, b) => order.indexOf(a.what) - order.indexOf(b.what));
  } finally {
    source.process.kill();
    target.process.kill();
  }
}

const order = [fetching, sending, again];

async function measureSlipway(folder: string): Promise<readonly Row[]> {
  const run = (...args: string[]) => timed(() => runCommand(slipwayCommand(...args), folder));
  const create = ['bundle', 'create', 'sample.lock.yaml', '--policy', 'policy.yaml', '--own-use'];
  const load = ['load', 'sample.bundle', '--site', 'site.yaml'];
  await run('plan', 'release.yaml', 'policy.yaml');
  return [
    { what: fetching, who: 'slipway bundle create', seconds: await run(...create) },
    { what: sending, who: 'slipway load', seconds: await run(...load) },
    { what: again, who: 'slipway load', seconds: await run(...load) },
  ];
}

async function measurePeer(
  peer: Peer,
  folder: string,
  source: string,
  target: string,
): Promise<readonly Row[]> {
  const layout = await mkdtemp(join(folder, `${peer.name}-`));
  const [from, to] = [`${source}/big:v1`, `${target}/${peer.name}:v1`];
  try {
    const program = await peer.program();
    const run = (command: readonly string[]) => timed(() => runCommand(command, folder));
    return [
      { what: fetching, who: peer.name, seconds: await run(peer.fetch(program, from, layout)) },
      // Another repository has the blobs, but nobody told this program.
      { what: sending, who: peer.name, seconds: await run(peer.send(program, layout, to)) },
      { what: again, who: peer.name, seconds: await run(peer.send(program, layout, to)) },
    ];
  } catch (error) {
    const [note = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return [{ what: fetching, who: peer.name, seconds: undefined, note }];
  }
}
