import { join } from 'node:path';
import { inFile, type Origin } from '../finding.ts';
import type { ExplainedRequest, Explanation } from './explanation.ts';

/** A path that the user gave, and what it is on the node. */
interface GivenPath {
  readonly place: string;
  readonly shown: string;
}

/**
 * Names places by the path that the user gave: of `--root my/daemon.json`, `/etc/docker/daemon.json:5` →
 * `my/daemon.json:5`. What lies elsewhere on the node keeps its path.
 */
export function showGiven(explanation: Explanation, { place, shown }: GivenPath): Explanation {
  const nameOf = (file: string) => {
    if (file === place) return shown;
    return file.startsWith(`${place}/`) ? join(shown, file.slice(place.length)) : file;
  };
  const at = (origin: Origin): Origin =>
    origin.builtIn ? origin : inFile(origin, nameOf(origin.file));
  const { answer, requests, skipped, findings } = explanation;
  return {
    ...explanation,
    answer: answer.kind === 'refused' ? { ...answer, origin: at(answer.origin) } : answer,
    requests: requests.map((request) => ({
      ...request,
      origin: at(request.origin),
      login: loginAt(request.login, at),
    })),
    skipped: skipped.map(({ origin, ...skip }) => ({
      ...skip,
      what: nameOf(skip.what),
      ...(origin && { origin: at(origin) }),
    })),
    findings: findings.map((finding) => ({ ...finding, origin: at(finding.origin) })),
  };
}

function loginAt(
  login: ExplainedRequest['login'],
  at: (origin: Origin) => Origin,
): ExplainedRequest['login'] {
  return 'origin' in login ? { ...login, origin: at(login.origin) } : login;
}
