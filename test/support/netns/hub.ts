import { inNamespace, ip } from './commands.ts';
import { addNamespace, type Namespace } from './namespaces.ts';

/**
 * A network without a way out: a bridge in a namespace of its own that forwards nothing and counts
 * what it was asked to forward. The machine has one leg in it, where registries for nodes listen.
 */
export interface Hub extends AsyncDisposable {
  /** This machine's address on the bridge: registries and the name server listen here. */
  readonly machineAddress: string;
  /** Connects a namespace; its default route ends in the hub. → its address. */
  connect(node: Namespace): Promise<string>;
  /** Packets that wanted to leave so far, and where to. */
  drops(): Promise<Drops>;
}

/** What arrived at the hub and was for somebody outside. */
export interface Drops {
  readonly packets: number;
  readonly destinations: readonly string[];
}

/** Starts the hub; only one per machine and third byte of its network. */
export async function startHub(): Promise<Hub> {
  await using stack = new AsyncDisposableStack();
  const hub = stack.use(await addNamespace('hub'));
  const network = await freeNetwork();
  const leg = `slw${process.pid % 100_000}`;
  await inNamespace(hub.name, ['sysctl', '-qw', 'net.ipv4.ip_forward=0']);
  await ip(`-n ${hub.name} link add br0 type bridge`);
  await ip(`-n ${hub.name} addr add ${network}.254/24 dev br0`);
  await ip(`-n ${hub.name} link set br0 up`);
  await inNamespace(hub.name, ['nft', '-f', '-'], countingRules(network));
  await ip(`link add ${leg} type veth peer name machine netns ${hub.name}`);
  await ip(`-n ${hub.name} link set machine master br0 up`);
  await ip(`addr add ${network}.1/24 dev ${leg}`);
  await ip(`link set ${leg} up`);
  let nodes = 10;
  const running = stack.move();
  return {
    machineAddress: `${network}.1`,
    connect: (node) => {
      nodes += 1;
      return connectNode(hub.name, node.name, `${network}.${nodes}`);
    },
    drops: () => readDrops(hub.name),
    [Symbol.asyncDispose]: () => running.disposeAsync(), // the leg goes with its peer
  };
}

/** Three bytes of a private network that this machine does not use yet: `10.77.0`. */
async function freeNetwork(): Promise<string> {
  const used = await ip('-o -4 addr');
  for (let third = 0; third < 256; third += 1) {
    if (!used.includes(` 10.77.${third}.`)) return `10.77.${third}`;
  }
  throw new Error('all networks of 10.77.0.0/16 are in use on this machine');
}

async function connectNode(hub: string, node: string, address: string): Promise<string> {
  const port = `node${address.split('.')[3]}`;
  const gateway = address.replace(/\d+$/, '254');
  await inNamespace(node, ['sysctl', '-qw', 'net.ipv6.conf.all.disable_ipv6=1']);
  await ip(`link add ${port} netns ${hub} type veth peer name eth0 netns ${node}`);
  await ip(`-n ${hub} link set ${port} master br0 up`);
  await ip(`-n ${node} addr add ${address}/24 dev eth0`);
  await ip(`-n ${node} link set eth0 up`);
  await ip(`-n ${node} route add default via ${gateway}`);
  return address;
}

/** Multicast and broadcast are no attempt to leave: interfaces send them by themselves. */
function countingRules(network: string): string {
  return `table ip slipway {
  counter leaving { }
  set destinations { type ipv4_addr; flags dynamic; size 4096; }
  chain arriving {
    type filter hook prerouting priority raw;
    ip daddr { ${network}.0/24, 224.0.0.0/4, 255.255.255.255 } accept
    counter name leaving add @destinations { ip daddr } reject with icmp admin-prohibited
  }
}
`;
}

async function readDrops(hub: string): Promise<Drops> {
  const rules = await inNamespace(hub, ['nft', 'list', 'table', 'ip', 'slipway']);
  const packets = Number(/counter leaving {\s*packets (\d+)/.exec(rules)?.[1]);
  const listed = /elements = {([^}]*)}/.exec(rules)?.[1] ?? '';
  return { packets, destinations: listed.match(/\d+\.\d+\.\d+\.\d+/g) ?? [] };
}
