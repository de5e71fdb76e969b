import { compareText } from '../../../shared/json.ts';
import { compileGoRegexp, type Unsupported } from '../../go/regexp/replace-all.ts';
import type { Placed } from '../../go/yaml/decoder.ts';

/** What became of a name, and what is odd about it. */
export interface Rewritten {
  readonly repository: string;
  readonly by?: string;
  /** Patterns that would each change the name, and not in the same way: Go takes any of them. */
  readonly rivals: readonly string[];
  /** Patterns that Slipway cannot follow, with the reason: the name may be another one. */
  readonly unknown: ReadonlyArray<{ readonly pattern: string; readonly reason: string }>;
}

/**
 * The repository that an endpoint is asked for: `{ '^rancher/(.*)': 'x/$1' }` makes `x/pause` of `rancher/pause`.
 * The first pattern that changes the name counts, in the order of Go's maps, which is random; patterns that do not
 * compile are passed over. Source: k3s-io/containerd core/remotes/docker/resolver.go, withRewritesFromHost.
 */
export function rewriteRepository(
  rewrites: ReadonlyMap<string, Pick<Placed<string>, 'value'>>,
  repository: string,
): Rewritten {
  const results = new Map<string, string[]>();
  const unknown: { readonly pattern: string; readonly reason: string }[] = [];
  for (const [pattern, { value }] of [...rewrites].sort(([a], [b]) => compareText(a, b))) {
    const result = rewriteOnce(pattern, value, repository);
    if (typeof result !== 'string') unknown.push({ pattern, reason: result.reason });
    else if (result !== repository) {
      results.set(result, [...(results.get(result) ?? []), pattern]);
    }
  }
  const [first] = results;
  if (first === undefined) return { repository, rivals: [], unknown };
  const [by] = first[1];
  return {
    repository: first[0],
    ...(by !== undefined && { by }),
    rivals: results.size > 1 ? [...results.values()].flat() : [],
    unknown,
  };
}

function rewriteOnce(pattern: string, template: string, repository: string): string | Unsupported {
  const compiled = compileGoRegexp(pattern);
  if (compiled.kind === 'invalid') return repository;
  return compiled.kind === 'compiled' ? compiled.replaceAll(repository, template) : compiled;
}
