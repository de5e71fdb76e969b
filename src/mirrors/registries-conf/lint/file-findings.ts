import { comparePlaces, type Noticed } from '../../finding.ts';
import { lintImageName } from '../../names/lint-image-name.ts';
import type { LintedSite } from '../../runtime-rules.ts';
import { authFilesOf, type NodeFiles } from '../read/node-files.ts';
import { endpointFindings } from './endpoint-findings.ts';
import { ignoredKeys } from './ignored-keys.ts';
import { lintedFile } from './linted-file.ts';
import { locationFindings } from './location-findings.ts';
import { placeFindings } from './place-findings.ts';
import { prefixFindings } from './prefix-findings.ts';
import { refusedFindings } from './refused-findings.ts';
import { repeatedPrefixes } from './repeated-prefixes.ts';
import { searchFindings } from './search-findings.ts';
import { unreadFiles } from './unread-files.ts';

/** All findings of a node's files, by file and line. */
export async function fileFindings(
  files: NodeFiles,
  site: LintedSite,
): Promise<readonly Noticed[]> {
  const { tree, config, crio, behaviour } = files;
  const linted = config.files.map((file) => lintedFile(file, behaviour.toml));
  const refusedStart: readonly Noticed[] =
    crio?.kind === 'refused'
      ? [
          {
            rule: 'R001',
            origin: crio.origin,
            message: crio.error,
            fix: 'Correct this place; CRI-O does not start.',
          },
        ]
      : [];
  const found = [
    ...refusedStart,
    ...linted.flatMap((file) => [
      ...refusedFindings(file),
      ...ignoredKeys(file),
      ...prefixFindings(file, behaviour.officialImages),
      ...endpointFindings(file, site),
      ...locationFindings(file, behaviour.officialImages),
    ]),
    ...sandboxNames(files),
    ...repeatedPrefixes(linted),
    ...searchFindings(files, linted),
    ...(await unreadFiles(files)),
    ...(await placeFindings(tree, authFilesOf(files))),
  ];
  return found.sort((a, b) => comparePlaces(a.origin, b.origin));
}

/** The image in which pods wait is a name like those in manifests. */
function sandboxNames({ crio }: NodeFiles): readonly Noticed[] {
  const named = crio?.kind === 'read' ? crio.pauseImage : undefined;
  if (named === undefined) return [];
  return lintImageName(named.value, 'cri-o').map(({ instead: _, ...found }) => ({
    ...found,
    origin: named.origin,
  }));
}
