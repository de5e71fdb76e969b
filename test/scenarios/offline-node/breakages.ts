import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../src/shared/ports.ts';
import { createAuthority } from '../../../src/trust/authority.ts';
import type { OfflineSite } from '../../support/delivery/offline-site.ts';
import { certsFolder } from '../../support/netns/node.ts';
import { hostArchitecture, toolPath } from '../../support/tools/build-tools.ts';
import { runProgram } from '../../support/tools/run-program.ts';

/** One thing that goes wrong at a site, and which images it hits. */
export interface Breakage {
  /** Completes the sentence "prove and containerd agree when ...". */
  readonly name: string;
  inflict(site: OfflineSite): Promise<void>;
  repair(site: OfflineSite): Promise<void>;
  /** The images that do not reach the node any more, out of all, in their order. */
  hits(images: readonly string[]): readonly string[];
}

const website = 'hub.oepkgs.net/openfuyao/console-website:v26.03';
const openssl = 'docker.io/library/openssl:latest';
const from = (host: string) => (images: readonly string[]) =>
  images.filter((name) => name.startsWith(`${host}/`));

/** In the order of the issue: a blob, a tag, an authority, a broken file, an open path. */
export const breakages: readonly Breakage[] = [
  {
    name: 'one blob is removed',
    inflict: async (site) => rm(join(site.registry.folder, 'blobs', ownLayer(site, website))),
    repair: (site) => site.load('--only', 'console-website', '--recheck'),
    hits: () => [website],
  },
  {
    name: 'one tag is moved',
    inflict: async ({ registry }) => {
      const crane = await toolPath('crane', 'crane');
      const { address } = registry.registry;
      const target = `${address}/platform/library/openssl:latest`;
      await runProgram([crane, 'copy', `${address}/platform/pause:3.10.1`, target], {
        env: { SSL_CERT_FILE: registry.caFile },
      });
    },
    repair: (site) => site.load('--only', 'openssl'),
    hits: () => [openssl],
  },
  {
    name: 'the authority on the node is another one',
    inflict: async (site) => {
      const { certificate } = await createAuthority({ name: 'other', validDays: 1 }, systemClock);
      for (const file of await authorityFiles(site)) await writeFile(file, certificate);
    },
    repair: (site) => site.rewriteMirrors(),
    hits: (images) => images,
  },
  {
    name: 'one hosts.toml is no TOML',
    inflict: async (site) => writeFile(hostsFile(site, 'docker.io'), 'server = "https://'),
    repair: (site) => site.rewriteMirrors(),
    hits: from('docker.io'),
  },
  {
    name: 'one rule falls open',
    inflict: async (site) => {
      const file = hostsFile(site, 'hub.oepkgs.net');
      await writeFile(file, openRule(await readFile(file, 'utf8')));
    },
    repair: (site) => site.rewriteMirrors(),
    hits: from('hub.oepkgs.net'),
  },
];

/** The last layer of an image for this machine: no other image has it. */
function ownLayer(site: OfflineSite, name: string): string {
  const image = site.lock.spec.images.find((candidate) => candidate.name === name);
  const platform = image?.platforms.find((each) => each.platform === `linux/${hostArchitecture}`);
  const layer = platform?.layers.at(-1);
  if (layer === undefined) throw new Error(`the Lock has no layer of ${name}`);
  return layer.digest.replace(':', '/');
}

function hostsFile(site: OfflineSite, host: string): string {
  return join(site.node.root, certsFolder, host, 'hosts.toml');
}

async function authorityFiles(site: OfflineSite): Promise<readonly string[]> {
  const folder = join(site.node.root, certsFolder);
  const files = await readdir(folder, { recursive: true });
  return files.filter((file) => file.endsWith('.pem')).map((file) => join(folder, file));
}

/** The same mirror as a host table: without a `server`, containerd adds the upstream behind it. */
function openRule(rule: string): string {
  const server = /^server = (.*)$/m.exec(rule)?.[1] ?? '';
  const settings = rule
    .split('\n')
    .filter((line) => /^(capabilities|ca|override_path) = /.test(line));
  return [`[host.${server}]`, ...settings, ''].join('\n');
}
