import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CommandContext } from '../command.ts';
import { NodeRootInside, NodeRootMissing } from '../errors.ts';

/** Folders of configuration that people take for the root of a node. */
const insideOfRoot =
  /^(?<meant>.*)\/(?:etc(?:\/containerd(?:\/certs\.d)?|\/rancher(?:\/(?:k3s|rke2)(?:\/config\.yaml\.d)?)?|\/containers(?:\/(?:registries\.conf|certs)\.d)?|\/crio(?:\/crio\.conf\.d)?|\/docker(?:\/certs\.d)?)?|system\/state)$/;

/**
 * The folder that holds a node's root, as an absolute path. NODE_ROOT_MISSING: a wrong folder would
 * look like a node without any rules. NODE_ROOT_INSIDE for `/mnt/node-1/etc/containerd` and its like.
 */
export async function nodeRoot(typed: string, context: CommandContext): Promise<string> {
  const path = resolve(context.environment.cwd, typed);
  const found = await stat(path).catch((cause: unknown) => {
    throw new NodeRootMissing({ root: typed }, { cause });
  });
  if (!found.isDirectory()) throw new NodeRootMissing({ root: typed });
  const inside = insideOfRoot.exec(path);
  if (inside !== null) {
    const end = path.length - (inside.groups?.['meant'] ?? '').length;
    const meant = typed.replace(/\/+$/, '').slice(0, -end) || inside.groups?.['meant'] || '/';
    throw new NodeRootInside({ root: typed, meant });
  }
  return path;
}

/**
 * A node's root, a folder of its configuration or a single file, as an absolute path. NODE_ROOT_MISSING:
 * what is not there would look like a node without any rules.
 */
export async function configurationPath(typed: string, context: CommandContext): Promise<string> {
  const path = resolve(context.environment.cwd, typed);
  await stat(path).catch((cause: unknown) => {
    throw new NodeRootMissing({ root: typed }, { cause });
  });
  return path;
}
