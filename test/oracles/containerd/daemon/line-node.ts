/** A node with the containerd of one line, whose rules change from case to case. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Hub } from '../../../support/netns/hub.ts';
import { type ContainerNode, startNode } from '../../../support/netns/node.ts';
import { buildTools } from '../../../support/tools/build-tools.ts';
import { fixedLogins } from '../generator/worlds.ts';
import type { LineCase } from '../line-case.ts';
import type { Line } from '../lines.ts';
import { configText, type MainKind } from '../main-configs.ts';
import type { Pki } from '../pki.ts';
import { natures } from '../world/names.ts';

/** Where a node starts. */
export interface LinePlace {
  readonly hub: Hub;
  readonly folder: string;
  readonly line: Line;
  readonly main: MainKind;
  readonly pki: Pki;
}

const systemFile = '/etc/containerd/system.pem';

/** Starts it; its `/etc/containerd` and `/etc/docker` are written from outside. */
export async function startLineNode(place: LinePlace): Promise<ContainerNode> {
  const { hub, folder, line, main, pki } = place;
  const known = Object.entries(natures).filter(([, nature]) => nature !== 'refused');
  const names = Object.fromEntries(known.map(([name]) => [name, hub.machineAddress]));
  const base = join(folder, main);
  await mkdir(base, { recursive: true });
  return startNode({
    hub,
    folder: base,
    name: `${line.name.replace('.', '')}${main}`,
    hosts: { ...names, 'refused.example': '127.0.0.1' },
    tools: await buildTools(line.daemon),
    env: { SSL_CERT_FILE: systemFile, SSL_CERT_DIR: '/nonexistent' },
    configure: async (root) => {
      const config = configText(main, line, fixedLogins, daemonSettings);
      await writeFile(join(root, 'etc/containerd/config.toml'), withPlaces(config));
      await writeFile(join(root, systemFile), pki.system.certificate);
      await mkdir(join(root, 'etc/docker'), { recursive: true });
    },
  });
}

const daemonSettings = `[grpc]
address = "/run/containerd/containerd.sock"
[debug]
level = "debug"
`;

function withPlaces(config: string): string {
  const [version = '', ...rest] = config.split('\n');
  const places = ['root = "/var/lib/containerd"', 'state = "/run/containerd/state"'];
  return [version, ...places, ...rest].join('\n');
}

/** Puts the rules of one case in the place of those before. */
export async function layOut(node: ContainerNode, one: LineCase): Promise<void> {
  for (const folder of ['etc/containerd/certs.d', 'etc/docker/certs.d', 'etc/containerd/tls']) {
    await rm(join(node.root, folder), { recursive: true, force: true });
  }
  for (const [path, text] of Object.entries(one.files)) {
    if (path === '/etc/containerd/config.toml') continue;
    const place = join(node.root, path);
    await mkdir(path.endsWith('/') ? place : dirname(place), { recursive: true });
    if (!path.endsWith('/')) await writeFile(place, text);
  }
}
