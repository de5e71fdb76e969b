/** The logins of rules in the login file that the program reads for good; JSON has no place for our mark. */

import type { ConfigTree } from '../../config-tree.ts';
import { MirrorConfigBroken, MirrorRuleNotWritable } from '../../errors.ts';
import type { MirrorRule, MirrorTarget } from '../../mirror-rule.ts';
import type { WantedFile } from '../../runtime-rules.ts';
import { type AuthFile, isJsonObject, type JsonObject } from '../read/auth-files.ts';

/** /run is empty after a restart of the node, so that one does not count. */
const isLasting = ({ path, isOldFormat }: AuthFile) => !path.startsWith('/run/') && !isOldFormat;

/** The file with the logins added to what others have in it; nothing where the rules have none. */
export async function loginFile(
  tree: ConfigTree,
  rules: readonly MirrorRule[],
  files: readonly AuthFile[],
): Promise<readonly WantedFile[]> {
  const wanted = loginsOf(rules);
  const path = files.find(isLasting)?.path ?? files[0]?.path;
  if (wanted.size === 0 || path === undefined) return [];
  const entry = await tree.read(path);
  const before = entry.kind === 'file' ? parse(entry.bytes, path) : {};
  const auths = isJsonObject(before['auths']) ? before['auths'] : {};
  const content = `${JSON.stringify({ ...before, auths: { ...auths, ...Object.fromEntries(wanted) } }, null, 2)}\n`;
  const because = `it has the logins at ${[...wanted.keys()].join(', ')}`;
  const file = { path, content, because, isPrivate: true } as const;
  return [entry.kind === 'missing' ? file : { ...file, isChange: true }];
}

function loginsOf(rules: readonly MirrorRule[]): ReadonlyMap<string, JsonObject> {
  const logins = new Map<string, JsonObject>();
  const owners = new Map<string, NonNullable<MirrorTarget['login']>>();
  for (const { registry, targets } of rules) {
    for (const { host, login } of targets) {
      if (login === undefined) continue;
      const other = owners.get(host);
      if (other !== undefined && !isSame(other, login)) {
        const reason = `two logins are given for ${host}, and a login file has one for each host`;
        throw new MirrorRuleNotWritable({ rule: registry, reason });
      }
      owners.set(host, login);
      const text = `${login.username}:${login.password.reveal()}`;
      logins.set(host, { auth: Buffer.from(text).toString('base64') });
    }
  }
  return logins;
}

type Login = NonNullable<MirrorTarget['login']>;

function isSame(a: Login, b: Login): boolean {
  return a.username === b.username && a.password.equals(b.password);
}

function parse(bytes: Uint8Array, path: string): JsonObject {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new MirrorConfigBroken({
    error: 'the login file is no JSON object',
    file: path,
    place: path,
  });
}
