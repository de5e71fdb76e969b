import type { Hub } from './hub.ts';
import type { ContainerNode } from './node.ts';

/** What a real pull by tag and by digest did on a node. */
export interface RealPull {
  /** By tag: it worked, and what came is what the Lock says. */
  readonly byTag: boolean;
  readonly byDigest: boolean;
  /** Hosts that containerd asked besides the one of the site, such as registry-1.docker.io. */
  readonly strangers: readonly string[];
  /** True when a packet reached the hub on its way out. */
  readonly left: boolean;
  /** What containerd said when something failed. */
  readonly errors: readonly string[];
}

/** An image and what its name should stand for. */
export interface ExpectedImage {
  /** With a tag: `registry.k8s.io/pause:3.10.1`. */
  readonly name: string;
  readonly digest: string;
}

/**
 * Pulls an image through the CRI as kubelet does, by tag and by digest, each time from nothing.
 * `siteHost` is the registry that may be asked, `host:port` as nodes see it.
 */
export async function pullForReal(
  node: ContainerNode,
  hub: Hub,
  image: ExpectedImage,
  siteHost: string,
): Promise<RealPull> {
  const before = { requests: node.requests().length, drops: await hub.drops() };
  const errors: string[] = [];
  const succeeds = async (work: () => Promise<boolean>) => {
    try {
      return await work();
    } catch (error) {
      errors.push(String(error));
      return false;
    }
  };
  const digestName = `${image.name.replace(/:[^:/]+$/, '')}@${image.digest}`;
  const byTag = await succeeds(() => pullAndForget(node, image.name, image.digest));
  const byDigest = await succeeds(() => pullAndForget(node, digestName, image.digest));
  const hosts = node
    .requests()
    .slice(before.requests)
    .map(({ url }) => url.host);
  return {
    byTag,
    byDigest,
    strangers: [...new Set(hosts.filter((host) => host !== siteHost))],
    left: (await hub.drops()).packets > before.drops.packets,
    errors,
  };
}

/** The image is removed again, so that the next pull asks for every byte. */
async function pullAndForget(node: ContainerNode, name: string, digest: string): Promise<boolean> {
  await node.crictl('pull', '--pull-timeout', '60s', name);
  const shown = await node.crictl('inspecti', '--output', 'json', name);
  await node.crictl('rmi', name);
  return shown.stdout.includes(`@${digest}"`);
}
