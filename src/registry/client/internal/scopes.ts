/** Permissions as token servers name them. Source: distribution, docs/spec/auth/scope. */
import { compareText } from '../../../shared/json.ts';
import type { Scope } from '../transport.ts';

/** `{ type: 'repository', name: 'a/b', actions: ['push', 'pull'] }` → `repository:a/b:pull,push`. */
export function formatScope(scope: Scope): string {
  return `${scope.type}:${scope.name}:${[...new Set(scope.actions)].sort(compareText).join(',')}`;
}

/**
 * `repository:host:5000/a:pull,push registry:catalog:*` → two scopes. The name may hold colons: the
 * type ends at the first and the actions begin behind the last. Words of another shape are left out.
 */
export function parseScopes(text: string): readonly Scope[] {
  return text.split(' ').flatMap((word) => {
    const match = /^([a-z0-9]+(?:\([a-z0-9]+\))?):(.+):([^:]*)$/.exec(word);
    if (match === null) return [];
    const [, type = '', name = '', actions = ''] = match;
    return [{ type, name, actions: actions.split(',').filter((action) => action !== '') }];
  });
}

/** Both lists as one, each object once with all its actions, sorted: equal needs give equal text. */
export function mergeScopes(a: readonly Scope[], b: readonly Scope[]): readonly Scope[] {
  const merged = new Map<string, Scope>();
  for (const scope of [...a, ...b]) {
    const key = `${scope.type}:${scope.name}`;
    const known = merged.get(key)?.actions ?? [];
    merged.set(key, { ...scope, actions: [...new Set([...known, ...scope.actions])] });
  }
  return [...merged.entries()].sort(([x], [y]) => compareText(x, y)).map(([, scope]) => scope);
}

/** True when a token for `granted` also serves `wanted`. */
export function coversScopes(granted: readonly Scope[], wanted: readonly Scope[]): boolean {
  return wanted.every((want) =>
    granted.some(
      (grant) =>
        grant.type === want.type &&
        grant.name === want.name &&
        want.actions.every((action) => grant.actions.includes(action)),
    ),
  );
}
