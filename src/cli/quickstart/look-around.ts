import { shellLine } from '../shell-line.ts';
import { places } from './places.ts';
import type { QuickstartFolder } from './quickstart-folder.ts';

/** What somebody can do while the registry of the quickstart goes on. */
export function lookAround({ path, isKept }: QuickstartFolder, url: string): string {
  const { caFile, lock, site, node } = places;
  const program = new URL('../../../bin/slipway.mjs', import.meta.url).pathname;
  const host = new URL(url).host;
  const commands = [
    shellLine(['cd', path]),
    `alias slipway=${shellLine([program])}`,
    shellLine(['curl', '--cacert', caFile, `${url}/v2/_catalog`]),
    `SSL_CERT_FILE=${shellLine([caFile, 'crane', 'manifest', `${host}/platform/pause:3.9`])}`,
    shellLine(['slipway', 'why', 'pause']),
    shellLine(['slipway', 'prove', lock, '--site', site, '--root', node]),
  ];
  return [
    `The registry goes on at ${url}. In another terminal:`,
    '',
    ...commands.map((command) => `  ${command}`),
    '',
    `Ctrl-C stops it${isKept ? '; the folder stays' : ' and leaves nothing behind'}.`,
  ].join('\n');
}
