/** Compiles rules into one drop-in of registries.conf, and what goes with it: certificates, logins, the sandbox image. */

import { authorityFile } from '../../certificates/authority-file.ts';
import type { ConfigTree } from '../../config-tree.ts';
import { MirrorConfigBroken } from '../../errors.ts';
import { formatOrigin } from '../../finding.ts';
import type { MirrorRule } from '../../mirror-rule.ts';
import { overlayTree } from '../../overlay-tree.ts';
import { ownText } from '../../own-text.ts';
import type { CompiledRules, WantedFile } from '../../runtime-rules.ts';
import type { RegistriesConfBehaviour } from '../behaviour.ts';
import { certificateFolders } from '../read/certificate-folder.ts';
import { CRIO_CONF_D } from '../read/crio-config.ts';
import { authFilesOf, type NodeFiles, readNodeFiles } from '../read/node-files.ts';
import { loginFile } from './login-file.ts';
import { renderRules } from './render-rules.ts';

/** After all that others are likely to have put there: the last table of a prefix counts. */
const DROP_IN = '99-slipway.conf';
const CRIO_DROP_IN = `${CRIO_CONF_D}/99-slipway.conf`;
const CONTAINERS_CERTS_D = certificateFolders[1];

/** What the rules are compiled for. */
export interface CompileOptions {
  readonly behaviour: RegistriesConfBehaviour;
  readonly sandboxImage: string | undefined;
}

/**
 * The files for all rules; what stands in other tables for the same names is overruled, nobody else's file is
 * touched. Rejects with MIRROR_RULE_NOT_WRITABLE, and MIRROR_CONFIG_BROKEN where every pull fails already.
 */
export async function compileRegistriesConf(
  tree: ConfigTree,
  rules: readonly MirrorRule[],
  { behaviour, sandboxImage }: CompileOptions,
): Promise<CompiledRules> {
  const path = await dropInOn(tree, behaviour);
  const files = await readNodeFiles(overlayTree(tree, new Map([[path, undefined]])), behaviour);
  refuseBroken(files);
  const body = renderRules(rules);
  const login = await loginFile(tree, rules, authFilesOf(files));
  const dropIn: readonly WantedFile[] =
    body === ''
      ? []
      : [
          {
            path,
            content: ownText('where images are pulled from', body),
            because: shownRules(rules),
          },
        ];
  const sandbox = sandboxFile(files, sandboxImage);
  return {
    wanted: [...authorities(rules), ...login, ...sandbox, ...dropIn],
    settled: [],
    existing: await ownFiles(tree, path),
  };
}

/** Beside the main file that is read: root's own one hides all of /etc. */
async function dropInOn(tree: ConfigTree, behaviour: RegistriesConfBehaviour): Promise<string> {
  const { config } = await readNodeFiles(tree, behaviour);
  return `${config.places.folders[0]}/${DROP_IN}`;
}

function refuseBroken({ config, crio }: NodeFiles): void {
  const broken = crio?.kind === 'refused' ? crio : config;
  if (broken.kind !== 'refused') return;
  const { error, origin } = broken;
  throw new MirrorConfigBroken({ error, file: origin.file, place: formatOrigin(origin) });
}

function authorities(rules: readonly MirrorRule[]): readonly WantedFile[] {
  const files = new Map<string, WantedFile>();
  for (const { ca, host, scheme } of rules.flatMap(({ targets }) => targets)) {
    if (ca === undefined || scheme !== 'https') continue;
    const path = `${CONTAINERS_CERTS_D}/${host}/slipway-${ca.name}.crt`;
    files.set(path, authorityFile(path, ca, host));
  }
  return [...files.values()];
}

function shownRules(rules: readonly MirrorRule[]): string {
  const names = rules.map(({ registry, path = '' }) =>
    path === '' ? registry : `${registry}/${path}`,
  );
  return `it says where images of ${names.join(', ')} are pulled from`;
}

/** Only CRI-O has one; nothing is written where its configuration names it already. */
function sandboxFile(
  { crio, behaviour }: NodeFiles,
  image: string | undefined,
): readonly WantedFile[] {
  if (crio?.kind !== 'read' || image === undefined) return [];
  const named = crio.pauseImage;
  const isOurs = named?.origin.file === CRIO_DROP_IN;
  if (!isOurs && (named?.value ?? behaviour.pauseImage) === image) return [];
  const body = `[crio.image]\npause_image = ${JSON.stringify(image)}\n`;
  const content = ownText('the image in which pods wait', body);
  return [{ path: CRIO_DROP_IN, content, because: `pods wait in ${image}` }];
}

async function ownFiles(tree: ConfigTree, dropIn: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of [dropIn, CRIO_DROP_IN]) {
    if ((await tree.read(path)).kind !== 'missing') found.push(path);
  }
  for (const { name, isFolder } of await tree.list(CONTAINERS_CERTS_D)) {
    if (!isFolder) continue;
    const files = await tree.list(`${CONTAINERS_CERTS_D}/${name}`);
    const ours = files.filter((file) => /^slipway-.*\.crt$/.test(file.name));
    found.push(...ours.map((file) => `${CONTAINERS_CERTS_D}/${name}/${file.name}`));
  }
  return found;
}
