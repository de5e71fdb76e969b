import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildTools, toolPath } from '../tools/build-tools.ts';
import { type ProgramResult, runProgram } from '../tools/run-program.ts';
import { startProgram } from '../tools/start-program.ts';
import { waitUntil } from '../wait-until.ts';
import { addCgroups } from './cgroups.ts';
import type { Hub } from './hub.ts';
import { addNamespace } from './namespaces.ts';
import { type NodeRequest, readNodeRequests } from './node-requests.ts';

/** Where a node stands and what it knows of the world. */
export interface NodeOptions {
  readonly hub: Hub;
  /** On a real disk; holds the node's root, log and image store. */
  readonly folder: string;
  readonly name: string;
  /** Lines of `/etc/hosts`: `{ 'registry.site.example': '10.77.0.1' }`. */
  readonly hosts: Readonly<Record<string, string>>;
  /** Writes what containerd shall find below `root` when it starts: rules, a drop-in. */
  configure(root: string): Promise<void>;
  /** A folder with another `containerd` than the usual one. */
  readonly tools?: string;
  /** For containerd, besides the variables of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A node of its own network, mounts, processes and cgroups, with a real containerd in it. */
export interface ContainerNode extends AsyncDisposable {
  /** The part of the node's root that people configure: `etc/containerd` lies below it. */
  readonly root: string;
  /** The address under which others see it. */
  readonly address: string;
  /** The CRI's socket, as this machine sees it. */
  readonly socket: string;
  /** Runs crictl against the node: `await node.crictl('pull', 'registry.k8s.io/pause:3.9')`. */
  crictl(...args: readonly string[]): Promise<ProgramResult>;
  /** Every request that containerd sent to a registry so far. */
  requests(): readonly NodeRequest[];
}

/** Where containerd looks for rules, inside the node and below {@link ContainerNode.root}. */
export const certsFolder = 'etc/containerd/certs.d';

/** Where containerd looks for parts of its main configuration. */
export const dropInFolder = 'etc/containerd/conf.d';

/** Starts a node; resolves when its CRI answers. */
export async function startNode(options: NodeOptions): Promise<ContainerNode> {
  await using stack = new AsyncDisposableStack();
  const namespace = stack.use(await addNamespace(options.name));
  const address = await options.hub.connect(namespace);
  const cgroups = stack.use(await addCgroups(options.name));
  const { folder } = options;
  await writeNodeFiles(options);
  await options.configure(join(folder, 'root'));
  const launcher = new URL('node-launch.sh', import.meta.url).pathname;
  const tools = options.tools ?? (await buildTools('containerd'));
  const logFile = join(folder, 'containerd.log');
  const groups = cgroups.folders.join(' ');
  const program = stack.use(
    startProgram(['bash', launcher, namespace.name, groups, folder, tools], logFile, {
      stopSignal: 'SIGKILL', // unshare ignores SIGTERM while it waits
      ...(options.env && { env: options.env }),
    }),
  );
  const socket = join(folder, 'run', 'containerd.sock');
  const crictl = await crictlFor(socket);
  await waitUntil(async () => program.exitCode() !== undefined || isReady(crictl), {
    what: 'containerd to answer',
    timeoutMs: 60_000,
    evidence: () => program.output(),
  });
  if (program.exitCode() !== undefined) throw new Error(`the node ended\n${program.output()}`);
  const running = stack.move();
  return {
    root: join(folder, 'root'),
    address,
    socket,
    crictl,
    requests: () => readNodeRequests(program.output()),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function isReady(crictl: ContainerNode['crictl']): Promise<boolean> {
  await crictl('info');
  return true;
}

async function crictlFor(socket: string): Promise<ContainerNode['crictl']> {
  const program = await toolPath('crictl', 'crictl');
  const endpoint = `unix://${socket}`;
  const fixed = [
    program,
    '--runtime-endpoint',
    endpoint,
    '--image-endpoint',
    endpoint,
    '--timeout',
    '120s',
  ];
  return (...args) => runProgram([...fixed, ...args], { timeoutMs: 180_000 });
}

async function writeNodeFiles({ folder, hosts, hub }: NodeOptions): Promise<void> {
  const configFolder = join(folder, 'root', 'etc', 'containerd');
  await mkdir(join(folder, 'run'), { recursive: true });
  await mkdir(join(folder, 'lib'), { recursive: true });
  await mkdir(join(folder, 'root', certsFolder), { recursive: true });
  await mkdir(join(folder, 'root', dropInFolder), { recursive: true });
  const lines = Object.entries(hosts).map(([name, address]) => `${address} ${name}\n`);
  await writeFile(join(folder, 'hosts'), `127.0.0.1 localhost\n${lines.join('')}`);
  await writeFile(
    join(folder, 'resolv.conf'),
    `nameserver ${hub.machineAddress}\noptions attempts:1\n`,
  );
  await writeFile(join(configFolder, 'config.toml'), mainConfig);
}

/** For a machine whose root may not lower oom_score_adj. What concerns registries comes in drop-ins. */
const mainConfig = `version = 3
root = "/var/lib/containerd"
state = "/run/containerd/state"
imports = ["/${dropInFolder}/*.toml"]
[grpc]
  address = "/run/containerd/containerd.sock"
[debug]
  level = "debug"
[plugins."io.containerd.cri.v1.runtime"]
  restrict_oom_score_adj = true
`;
