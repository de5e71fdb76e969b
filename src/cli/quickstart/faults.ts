import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { readLock } from '../../release/lock-document.ts';
import type { CommandContext } from '../command.ts';
import { RegistryOpener } from '../registries.ts';
import { shellLine } from '../shell-line.ts';
import type { InnerShell } from './inner-shell.ts';
import { places } from './places.ts';

/** Which images the two faults hit, and with which verdict each. */
export const expectedFailures: Readonly<Record<string, string>> = {
  'cr.openfuyao.cn/openfuyao/console-website:v26.03': 'incomplete',
  'hub.oepkgs.net/openfuyao/kube-state-metrics:v2.13.0': 'falls-open',
  'hub.oepkgs.net/openfuyao/metrics-server:v0.7.2': 'falls-open',
};

/** R0-43: a file name that people believe in, and that containerd does not read. */
export async function misnameRules(shell: InnerShell, folder: string): Promise<void> {
  const rules = join(places.node, 'etc/containerd/certs.d/hub.oepkgs.net');
  const [right, wrong] = [join(rules, 'hosts.toml'), join(rules, 'hosts.yaml')];
  shell.showCommand(shellLine(['mv', right, wrong]));
  await rename(join(folder, right), join(folder, wrong));
}

/** Takes one layer for one platform out of one repository, as a damaged disk or a clean-up job does. */
export async function loseLayer(
  context: CommandContext,
  shell: InnerShell,
  folder: string,
  place: { readonly url: string; readonly caFile: string },
): Promise<void> {
  const lock = readLock(await readFile(join(folder, places.lock)), places.lock);
  const image = lock.spec.images.find(({ name }) => expectedFailures[name] === 'incomplete');
  const layer = image?.platforms.find(({ platform }) => platform === 'linux/arm64')?.layers.at(-1);
  if (layer === undefined) throw new RangeError('the sample has no image to damage');
  const repository = 'platform/openfuyao/console-website';
  const url = `${place.url}/v2/${repository}/blobs/${layer.digest}`;
  shell.showCommand(shellLine(['curl', '--cacert', place.caFile, '-X', 'DELETE', url]));
  await using opener = await RegistryOpener.create(context);
  const registry = await opener.open({
    name: 'the registry of the site',
    url: place.url,
    side: 'target',
    documentFile: join(folder, places.site),
    trust: { ca: place.caFile },
  });
  await registry.repository(repository).deleteBlob(layer.digest, context.run);
}
