/** What Slipway wrote on a node, kept there: which rules, and what each file was before. */

import { z } from 'zod';
import { digestOf } from '../../oci/digest.ts';
import { Secret } from '../../shared/secret.ts';
import type { ConfigTree } from '../config-tree.ts';
import type { MirrorRule, MirrorTarget } from '../mirror-rule.ts';
import { MirrorRecordBroken } from './errors.ts';
import type { FileChange } from './file-changes.ts';
import { STATE_FOLDER } from './last-change.ts';

const FILE = `${STATE_FOLDER}/rules.json`;

const Target = z.strictObject({
  scheme: z.enum(['https', 'http']),
  host: z.string(),
  prefix: z.string(),
  ca: z.strictObject({ name: z.string(), pem: z.string() }).optional(),
  skipVerify: z.literal(true).optional(),
  /** Older records have the password too; it is read, and left out when the record is renewed. */
  login: z.strictObject({ username: z.string(), password: z.string().optional() }).optional(),
});

const Rule = z.strictObject({
  registry: z.string(),
  path: z.string().optional(),
  targets: z.array(Target).min(1),
  fallback: z.boolean(),
  isGuard: z.literal(true).optional(),
});

const WrittenFile = z.strictObject({
  path: z.string(),
  /** Of what Slipway wrote there last. */
  digest: z.string(),
  /** Where the file of somebody else lies that was there before; absent when there was nothing. */
  copy: z.string().optional(),
  /** Of that file as it was copied; older records do not have it. */
  copyDigest: z.string().optional(),
});

const NodeRecordFile = z.strictObject({
  version: z.literal(1),
  runtime: z.string(),
  sandboxImage: z.string().optional(),
  rules: z.array(Rule),
  files: z.array(WrittenFile),
  folders: z.array(z.string()),
});

/** A file that Slipway wrote on the node. */
export type WrittenFile = z.infer<typeof WrittenFile>;

/** A target as the node remembers it: whose login it needs, while the password stays in the runtime's own file. */
export type RememberedTarget = Omit<MirrorTarget, 'login'> & {
  readonly login?: { readonly username: string; readonly password?: Secret };
};

/** A rule with such targets; rulesWithLogins (remembered-logins.ts) makes it whole. */
export type RememberedRule = Omit<MirrorRule, 'targets'> & {
  readonly targets: readonly RememberedTarget[];
};

/** The rules of a node and the files that were written for them. */
export interface NodeRecord {
  /** `containerd@2.1.1`. */
  readonly runtime: string;
  readonly sandboxImage?: string;
  readonly rules: readonly RememberedRule[];
  readonly files: readonly WrittenFile[];
  /** Folders that were made for the files. */
  readonly folders: readonly string[];
}

/** Undefined for a node on which Slipway wrote nothing. Rejects with MIRROR_RECORD_BROKEN. */
export async function readNodeRecord(tree: ConfigTree): Promise<NodeRecord | undefined> {
  const entry = await tree.read(FILE);
  if (entry.kind === 'missing') return undefined;
  if (entry.kind !== 'file') {
    throw new MirrorRecordBroken({ file: FILE, fault: 'cannot be read' });
  }
  try {
    const { rules, sandboxImage, runtime, files, folders } = NodeRecordFile.parse(
      JSON.parse(Buffer.from(entry.bytes).toString('utf8')),
    );
    const image = sandboxImage === undefined ? {} : { sandboxImage };
    return { runtime, ...image, rules: rules.map(ruleOf), files, folders };
  } catch (cause) {
    throw new MirrorRecordBroken({ file: FILE, fault: 'is damaged' }, { cause });
  }
}

/** The change that makes the node remember this; undefined removes what it remembered. */
export function recordChange(record: NodeRecord | undefined): FileChange {
  if (record === undefined) return { path: FILE, after: { kind: 'absent' } };
  const rules = record.rules.map(({ targets, ...rule }) => ({
    ...rule,
    targets: targets.map(({ login, ...target }) => ({
      ...target,
      // No password: it stands in the runtime's own file, and once is enough.
      ...(login && { login: { username: login.username } }),
    })),
  }));
  const text = `${JSON.stringify({ version: 1, ...record, rules }, undefined, 2)}\n`;
  return { path: FILE, after: { kind: 'file', bytes: Buffer.from(text), mode: 0o600 } };
}

/** `('/etc/x', 'text')` → how the record has a file that was written. */
export function writtenFile(
  path: string,
  content: string,
  copied: Pick<WrittenFile, 'copy' | 'copyDigest'> = {},
): WrittenFile {
  const { copy, copyDigest } = copied;
  const kept = {
    ...(copy !== undefined && { copy }),
    ...(copyDigest !== undefined && { copyDigest }),
  };
  return { path, digest: digestOf(content), ...kept };
}

function ruleOf({
  registry,
  path,
  targets,
  fallback,
  isGuard,
}: z.infer<typeof Rule>): RememberedRule {
  return {
    registry,
    // An empty one, which older records have, says the same as none.
    ...(path !== undefined && path !== '' && { path }),
    fallback,
    ...(isGuard && { isGuard }),
    targets: targets.map(({ scheme, host, prefix, ca, skipVerify, login }) => ({
      scheme,
      host,
      prefix,
      ...(ca && { ca }),
      ...(skipVerify && { skipVerify }),
      ...(login && { login: loginOf(login) }),
    })),
  };
}

function loginOf({ username, password }: { username: string; password?: string | undefined }) {
  return { username, ...(password !== undefined && { password: new Secret(password) }) };
}
