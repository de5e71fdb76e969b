/** What src/mirrors/registries-conf says about a world, in the shape of the Go program's answer. */

import type { ConfigTree } from '../../../src/mirrors/config-tree.ts';
import { memoryTree } from '../../../src/mirrors/memory-tree.ts';
import { loginFor, rootAuthFiles } from '../../../src/mirrors/registries-conf/read/auth-files.ts';
import {
  placesOn,
  type RegistriesConfig,
  readRegistriesConfig,
} from '../../../src/mirrors/registries-conf/read/registries-config.ts';
import { aliasesOf } from '../../../src/mirrors/registries-conf/read/user-aliases.ts';
import { blockingRegistry } from '../../../src/mirrors/registries-conf/walk/pull-attempts.ts';
import { pullSources } from '../../../src/mirrors/registries-conf/walk/pull-sources.ts';
import {
  candidatesFor,
  withoutTagBesideDigest,
} from '../../../src/mirrors/registries-conf/walk/short-names.ts';
import { formatReference, type Reference } from '../../../src/oci/reference.ts';
import type { Answer, Candidate, Source, World } from './world.ts';

/** The answers for all names of a world. */
export async function ourAnswers({ files, mode, names, toml }: World): Promise<readonly Answer[]> {
  const tree = memoryTree(files);
  const config = await readRegistriesConfig(tree, await placesOn(tree), toml);
  if (config.kind === 'refused') return names.map(() => ({ error: config.error }));
  const answers: Answer[] = [];
  for (const name of names) {
    answers.push(
      await answerFor(name, tree, { ...config, shortNameMode: mode ?? config.shortNameMode, toml }),
    );
  }
  return answers;
}

async function answerFor(
  name: string,
  tree: ConfigTree,
  config: RegistriesConfig & Pick<World, 'toml'>,
): Promise<Answer> {
  const all = await aliasesOf(tree, config, config.toml);
  const aliases = all.kind === 'read' ? all.aliases : config.aliases;
  const found = candidatesFor(name, { ...config, aliases, mode: config.shortNameMode });
  if (all.kind === 'refused' && found.isShort) return { error: all.error };
  if (found.kind === 'failed') return { error: found.error };
  const candidates: Candidate[] = [];
  for (const one of found.names) {
    candidates.push(await candidate(withoutTagBesideDigest(one), tree, config));
  }
  return { candidates };
}

async function candidate(
  reference: Reference,
  tree: ConfigTree,
  config: RegistriesConfig,
): Promise<Candidate> {
  const found = pullSources(config.registries, reference, { file: '' });
  const name = formatReference(reference);
  const prefix = found.registry?.prefix ?? null;
  if (found.kind === 'failed') return { name, prefix, error: found.error };
  const sources: Source[] = [];
  for (const one of found.sources) {
    const ref = formatReference(one.reference);
    const shown = { ref, insecure: one.insecure };
    const { credentialHelpers: helpers } = config;
    const login = await loginFor(one.reference, {
      tree,
      files: rootAuthFiles,
      helpers,
      origin: { file: '' },
    });
    const blocking = blockingRegistry(one.reference, config);
    if (login.kind === 'failed') sources.push({ ...shown, error: login.error });
    else {
      const user = login.kind === 'login' ? login.login.username : '';
      const blocked = / (\S+) is blocked/.exec(blocking?.error ?? '')?.[1];
      sources.push({ ...shown, ...(user && { user }), ...(blocked && { blocked }) });
    }
  }
  return { name, prefix, sources };
}
