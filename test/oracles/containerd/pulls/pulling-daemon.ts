/** A real containerd that does nothing but pull, and the client that pulls with it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toolPath } from '../../../support/tools/build-tools.ts';
import { runProgram } from '../../../support/tools/run-program.ts';
import { startProgram } from '../../../support/tools/start-program.ts';
import { waitUntil } from '../../../support/wait-until.ts';

/** A containerd that listens. */
export interface PullingDaemon extends AsyncDisposable {
  readonly socket: string;
}

/** Starts one that keeps its content in `folder` and listens at `socket`. */
export async function startPullingDaemon(
  folder: string,
  socket = join(folder, 'c.sock'),
): Promise<PullingDaemon> {
  const config = join(folder, 'config.toml');
  for (const parent of [folder, dirname(socket)]) await mkdir(parent, { recursive: true });
  await writeFile(config, configuration(folder, socket));
  const containerd = await toolPath('containerd', 'containerd');
  const daemon = startProgram([containerd, '-c', config], join(folder, 'log'));
  const version = [await toolPath('containerd', 'ctr'), '-a', socket, 'version'];
  await waitUntil(async () => (await runProgram(version, { okCodes: [0, 1] })).code === 0, {
    what: 'containerd to answer',
    timeoutMs: 60_000,
    evidence: () => daemon.output(),
  });
  return { socket, [Symbol.asyncDispose]: () => daemon.stop() };
}

/** Who pulls, and by which rules. */
export interface PullPlace {
  /** The client with the address of its daemon. */
  readonly ctr: readonly string[];
  /** The folder of the hosts.toml files, as the client sees it. */
  readonly hosts: string;
  /** Every namespace has to fetch for itself, as if it were a node of its own. */
  readonly namespace: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** What containerd says against it; empty when it pulled the image and unpacked it. */
export async function pull(
  { ctr, hosts, namespace, env = {} }: PullPlace,
  name: string,
): Promise<string> {
  const options = ['--local', '--snapshotter', 'native', '--platform', 'linux/amd64'];
  const place = ['-n', namespace, 'images', 'pull', '--hosts-dir', hosts];
  const command = [...ctr, ...place, ...options, name];
  const { code, stderr, stdout } = await runProgram(command, { okCodes: [0, 1], env });
  return code === 0 ? '' : `${namespace}: ${stderr || stdout}`;
}

function configuration(folder: string, socket: string): string {
  return `version = 3
root = "${folder}/root"
state = "${folder}/state"
disabled_plugins = ["io.containerd.grpc.v1.cri", "io.containerd.cri.v1.images", "io.containerd.cri.v1.runtime", "io.containerd.nri.v1.nri"]
[grpc]
  address = "${socket}"
[plugins."io.containerd.metadata.v1.bolt"]
  content_sharing_policy = "isolated"
`;
}
