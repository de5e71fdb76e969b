import { formatCount } from '../../shared/quantities.ts';
import { alignColumns } from '../columns.ts';
import type { CommandResult } from '../command.ts';
import { shellLine } from '../shell-line.ts';
import { isLoopback, isWildcard } from './serve-order.ts';

/** A registry that runs. */
export interface ServedRegistry {
  /** `https://127.0.0.1:5000`. */
  readonly url: string;
  readonly host: string;
  readonly label: string;
  readonly access: 'read-only' | 'read-write';
  readonly repositories: number;
  readonly caFile: string | undefined;
  readonly login: 'none' | 'required' | 'for-pushes';
  readonly hasMetrics: boolean;
}

const logins = {
  none: 'nobody has to log in',
  required: 'everybody logs in',
  'for-pushes': 'pulls need no login, pushes do',
} as const;

/** What is served where, how to look at it, and how to stop. */
export function describeServed(served: ServedRegistry): CommandResult {
  const { url, label, access, repositories, caFile, login, hasMetrics } = served;
  const trust = caFile === undefined ? [] : ['--cacert', caFile];
  // curl asks for the password of NAME.
  const user = login === 'required' ? ['-u', 'NAME'] : [];
  const ping = shellLine(['curl', ...trust, ...user, `${reachable(served)}/v2/_catalog`]);
  const rows = [
    ...(caFile === undefined ? [] : [['trust', `${caFile}  (the authority that clients need)`]]),
    ['login', logins[login]],
    ['look', ping],
    ...(hasMetrics ? [['metrics', `${url}/metrics`]] : []),
    ['stop', 'Ctrl-C'],
  ];
  return {
    json: { url, content: label, access, repositories, ca: caFile, login, metrics: hasMetrics },
    text: [
      `serving ${label} at ${url}, ${access}: ${formatCount(repositories, 'repository', 'repositories')}`,
      ...alignColumns(rows).map((line) => `  ${line}`),
    ].join('\n'),
  };
}

/** What whoever starts a registry should know about it. */
export function serveWarnings(served: ServedRegistry): readonly string[] {
  const { url, host, access, login } = served;
  if (isLoopback(host)) return [];
  const isPlain = url.startsWith('http:');
  const isOpen = access === 'read-write' && login === 'none';
  return [
    ...(isPlain
      ? [
          'plain HTTP beyond this machine: what is sent can be read and changed; see --tls-self-signed',
        ]
      : []),
    ...(isOpen
      ? ['everybody who reaches it may push and delete; see --htpasswd, --read-only']
      : []),
  ];
}

/** The URL for this machine; "every address" is none that can be asked. */
function reachable({ url, host }: ServedRegistry): string {
  return isWildcard(host) ? url.replace(/\/\/(\[::\]|0\.0\.0\.0)/, '//127.0.0.1') : url;
}
