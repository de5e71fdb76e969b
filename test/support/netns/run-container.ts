import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '../tools/scratch-folder.ts';
import type { ContainerNode } from './node.ts';

/**
 * Starts a container of an image, in a pod of its own, runs one command in it and returns its output;
 * then the pod is removed. The image's own command must not end by itself.
 *
 * `await execInContainer(node, 'docker.io/library/busybox:1.35', ['/bin/busybox', 'echo', 'hi'])` → `hi\n`.
 */
export async function execInContainer(
  node: ContainerNode,
  image: string,
  command: readonly string[],
): Promise<string> {
  await using scratch = await scratchFolder();
  const pod = join(scratch.path, 'pod.json');
  const container = join(scratch.path, 'container.json');
  await writeFile(pod, JSON.stringify(podConfig));
  await writeFile(container, JSON.stringify({ metadata: { name: 'main' }, image: { image } }));
  const podId = (await node.crictl('runp', pod)).stdout.trim();
  try {
    const id = (await node.crictl('create', podId, container, pod)).stdout.trim();
    await node.crictl('start', id);
    return (await node.crictl('exec', '--sync', id, ...command)).stdout;
  } finally {
    await node.crictl('rmp', '--force', podId);
  }
}

/** The pod shares the node's network (2 is NODE in the CRI's NamespaceMode), so no CNI is needed. */
const podConfig = {
  metadata: { name: 'pod', namespace: 'default', uid: 'pod', attempt: 1 },
  linux: { security_context: { namespace_options: { network: 2 } } },
};
