import { join } from 'node:path';
import type { ProofReport } from '../../../src/proof/report.ts';
import type { Lock } from '../../../src/release/lock.ts';
import { type Hub, startHub } from '../netns/hub.ts';
import { type FakeNameServer, startFakeNameServer } from '../netns/name-server.ts';
import { type ContainerNode, startNode } from '../netns/node.ts';
import { pullForReal, type RealPull } from '../netns/real-pull.ts';
import { scratchFolder } from '../tools/scratch-folder.ts';
import { startServedRegistry } from '../tools/served-registry.ts';
import { type SiteRegistry, startSiteRegistry } from '../tools/site-registry.ts';
import { bundleRelease } from './bundle-release.ts';
import { writeSite } from './documents.ts';
import { prove, writeMirrors } from './node-rules.ts';
import { slipway } from './slipway.ts';

/** A site without a way out after the whole chain of commands, with one real node. */
export interface OfflineSite extends AsyncDisposable {
  readonly lock: Lock;
  readonly registry: SiteRegistry;
  readonly node: ContainerNode;
  readonly hub: Hub;
  readonly nameServer: FakeNameServer;
  /** What `slipway prove` said before the first pull. */
  readonly firstProof: ProofReport;
  prove(): Promise<ProofReport>;
  /** `slipway load` with further options. */
  load(...options: readonly string[]): Promise<void>;
  /** `slipway mirrors write --replace`, over files that somebody else changed. */
  rewriteMirrors(): Promise<void>;
  pull(image: Lock['spec']['images'][number]): Promise<RealPull>;
}

/** plan, bundle create, verify; upstreams stopped; load, mirrors write, prove; then the node starts. */
export async function prepareOfflineSite(): Promise<OfflineSite> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await scratchFolder()).path;
  const { lock, lockFile, bundle } = await bundleRelease(folder, 'tar');
  const hub = stack.use(await startHub());
  const nameServer = stack.use(await startFakeNameServer(hub.machineAddress));
  const registry = stack.use(
    await startSiteRegistry(join(folder, 'site'), hub.machineAddress, startServedRegistry),
  );
  const siteHost = registry.url.slice('https://'.length);
  const siteFile = await writeSite(join(folder, 'documents'), {
    nodes: siteHost,
    machine: registry.registry.address,
    caFile: registry.caFile,
    publish: ['keep-path', 'flat'],
  });
  const load = async (...options: readonly string[]) => {
    await slipway(['load', bundle, '--site', siteFile, ...options]);
  };
  await load();
  const root = join(folder, 'node', 'root');
  const files = { lockFile, siteFile, root };
  let firstProof: ProofReport | undefined;
  const node = stack.use(
    await startNode({
      hub,
      folder: join(folder, 'node'),
      name: 'node',
      hosts: { [registry.host]: hub.machineAddress },
      configure: async () => {
        await writeMirrors(files);
        firstProof = await prove(files);
      },
    }),
  );
  if (firstProof === undefined) throw new Error('the node was started without a proof');
  const running = stack.move();
  return {
    lock,
    registry,
    node,
    hub,
    nameServer,
    firstProof,
    prove: () => prove(files),
    load,
    rewriteMirrors: () => writeMirrors(files, '--replace'),
    pull: ({ name, target }) => pullForReal(node, hub, { name, digest: target.digest }, siteHost),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
