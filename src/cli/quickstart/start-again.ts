import { shellLine } from '../shell-line.ts';
import { places } from './places.ts';
import { siteHost } from './sample-documents.ts';

/** What a kept folder says about itself: what is in it, what is gone, and how to go on. */
export function startAgainText(url: string): string {
  const { release, policy, lock, bundle, site, node, tlsFolder, caFile, store, report } = places;
  const listen = new URL(url).host;
  const serve = ['registry', 'serve', '--store', store, '--listen', listen];
  const tls = ['--tls-self-signed', siteHost, '--tls-folder', tlsFolder];
  const rows = [
    [lock, 'every image, chart and file by digest'],
    [bundle, 'all of them, to be carried to a site'],
    [site, `the site; it finds its registry at ${listen}`],
    [store, 'what that registry keeps; a copy of the bundle, under the names of the site'],
    [tlsFolder, `the authority of the registry; clients trust ${caFile}`],
    [node, 'the root of a sample node, with its rules'],
    [report, 'the last proof'],
  ];
  return `# What "slipway quickstart" left here

Nothing of it runs any more. The three registries that stood for the real ones are gone for good: their
addresses in ${release} and ${policy} lead nowhere, so nothing can be planned or fetched from them again.
Everything else goes on from here.

Start the registry of the site again, in this folder:

    ${shellLine(['slipway', ...serve, ...tls])}

and in another terminal, in this folder:

    ${shellLine(['slipway', 'prove', lock, '--site', site, '--root', node])}
    ${shellLine(['slipway', 'why', 'pause'])}
    ${shellLine(['slipway', 'bundle', 'inspect', bundle])}

If the port is taken, give another one to --listen and to seenFrom in ${site}.

${rows.map(([name, says]) => `- \`${name}\`: ${says}`).join('\n')}
`;
}
