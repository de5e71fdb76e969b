/** What registries answer that is not the usual. */

import fc from 'fast-check';
import type { Logins } from '../main-configs.ts';
import { redirectTarget } from '../world/names.ts';
import type { AnswerRule } from '../world/world.ts';

/** Hosts that mirrors, servers and upstreams have. */
const hosts = [
  'a.example',
  'a.example',
  'a.example:5000',
  'b.example',
  'b.example:443',
  'reg.example',
  'reg.example',
  'reg.example:5000',
  'registry-1.docker.io',
  'site.example',
  'plain.example:5000',
] as const;

const statuses = [
  301, 307, 400, 401, 403, 404, 404, 405, 408, 410, 429, 500, 501, 502, 503, 504,
] as const;

const rule: fc.Arbitrary<AnswerRule> = fc
  .record({
    host: fc.constantFrom(...hosts),
    on: fc.constantFrom('any', 'any', 'tag', 'manifest', 'blob'),
    method: fc.constantFrom(undefined, undefined, 'HEAD', 'GET'),
    status: fc.constantFrom(...statuses),
    times: fc.constantFrom(undefined, undefined, 1, 2),
    isFollowed: fc.boolean(),
  })
  .map(({ host, on, method, status, times, isFollowed }) => ({
    host,
    on,
    status,
    ...(method && { method }),
    ...(times && { times }),
    ...(isFollowed && status < 400 && { location: redirectTarget }),
  }));

export const answers: fc.Arbitrary<readonly AnswerRule[]> = fc.array(rule, { maxLength: 4 });

/** Who asks for a login, and which logins the main configuration has. */
export interface LoginPlan {
  readonly wanted: Readonly<Record<string, string>>;
  readonly configured: Logins;
}

const right = ['u', 'p'] as const;
/** What the header of a host table has, where it has one. */
const byHeader = 'Basic aDpo';
const byPassword = 'Basic dTpw';

const login = fc.record({
  host: fc.constantFrom(...hosts),
  wanted: fc.constantFrom(byPassword, byPassword, byHeader),
  configured: fc.constantFrom(right, right, ['u', 'wrong'] as const, ['', ''] as const, undefined),
});

export const logins: fc.Arbitrary<LoginPlan> = fc
  .oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(login, { minLength: 1, maxLength: 2 }) },
  )
  .map((items) => ({
    wanted: Object.fromEntries(items.map(({ host, wanted }) => [host, wanted])),
    configured: Object.fromEntries(
      items.flatMap(({ host, configured }) =>
        configured === undefined ? [] : [[host, configured] as const],
      ),
    ),
  }));

/** For a running daemon, whose main configuration stays: the same logins for all cases. */
export const fixedLogins: Logins = {
  'a.example': right,
  'a.example:5000': ['u', 'wrong'],
  'registry-1.docker.io': right,
  'docker.io': ['u', 'never'],
  'b.example': ['u', 'wrong'],
};

export const settledLogins: fc.Arbitrary<LoginPlan> = logins.map(({ wanted }) => ({
  wanted,
  configured: fixedLogins,
}));

/** A daemon fetches blobs side by side, so no answer to one may depend on how many came before. */
export const settledAnswers: fc.Arbitrary<readonly AnswerRule[]> = answers.map((rules) =>
  rules.map(({ times, ...rest }) => {
    const isForBlobs = rest.on === 'any' || rest.on === 'blob';
    return times === undefined || isForBlobs ? rest : { ...rest, times };
  }),
);
