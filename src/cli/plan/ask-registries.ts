import type { Run } from '../../shared/run.ts';
import type { CommandContext } from '../command.ts';
import { RegistryOpener } from '../registries.ts';
import { openSourceFiles } from '../source-files.ts';
import { openSourceRegistries } from '../source-registries.ts';
import { type LockRequest, type MadeLock, newText, planForSites } from './make-lock.ts';
import { PlanFolder } from './plan-folder.ts';

/** Makes a Lock by asking the registries, and writes it if it is another than the one that is there. */
export async function askRegistries(
  context: CommandContext,
  request: LockRequest,
  run: Run,
): Promise<MadeLock> {
  await using opener = await RegistryOpener.create(context);
  const { images, charts } = request.items;
  const sources = [...images, ...charts].map((item) => item.source);
  const registries = await openSourceRegistries(sources, request.policy, opener);
  const files = openSourceFiles(request.policy, opener);
  await using folder = await PlanFolder.open(request.path, request.tempFolder);
  const ports = {
    sourceOf: registries.repositoryOf,
    fileSize: (url: string, inner: Run) => files.sizeOf(url, inner),
    cache: folder.cache,
  };
  const lock = await planForSites(request, ports, run);
  const text = newText(request, lock);
  // Before the folder goes: killed in between, the next plan finds one of the two.
  if (text !== undefined) await folder.publish(text);
  await folder.remove();
  return { lock, isChanged: text !== undefined };
}
