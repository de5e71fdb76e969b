import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatDuration } from '../../shared/quantities.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { makeBundle, proveAll, serveSite, setUpNode, spoilAndRepair } from './chapters.ts';
import { InnerShell } from './inner-shell.ts';
import { lookAround } from './look-around.ts';
import { places } from './places.ts';
import { openQuickstartFolder } from './quickstart-folder.ts';
import { startAgainText } from './start-again.ts';

/**
 * The whole chain, told as a story in which every step is a command of the program itself. Rejects
 * with QUICKSTART_DEVIATED as soon as one does not end as it should, and with FOLDER_IN_USE.
 */
export async function runQuickstart(
  outer: CommandContext,
  typedFolder: string | undefined,
): Promise<CommandResult | undefined> {
  const context = onLoopback(outer);
  const started = context.clock.monotonic();
  await using folder = await openQuickstartFolder(context, typedFolder);
  const shell = new InnerShell(context, folder.path);
  const story = { context, shell, folder: folder.path };
  await makeBundle(story);
  await using site = await serveSite(story);
  if (folder.isKept) {
    await writeFile(join(folder.path, places.startAgain), startAgainText(site.url));
  }
  await setUpNode(story);
  await spoilAndRepair(story, site.url);
  const images = await proveAll(story);
  const duration = formatDuration(context.clock.monotonic() - started);
  const kept = `everything is in ${typedFolder}, ${places.startAgain} there says how to start it again`;
  const rest = folder.isKept ? `; ${kept}` : '';
  shell.tell(`That was the main job, in ${duration}${rest}.`);
  const answer = `${images} of ${images} proven`;
  if (!hasAudience(context)) {
    return { json: { images, proven: images, steps: shell.steps }, text: answer };
  }
  shell.tell(context.terminal.paint('green', answer));
  shell.tell(`\n${lookAround(folder, site.url)}`);
  await once(context.run.signal, 'abort');
  const end = folder.isKept ? `everything stays in ${typedFolder}` : 'nothing is left behind';
  return { json: undefined, text: `\nstopped; ${end}` };
}

/** Somebody looks on and may want to look around; otherwise it is a test, or a log. */
function hasAudience({ host, environment, isJson }: CommandContext): boolean {
  return host.stdout.isTTY === true && !environment.isCi && !isJson;
}

/** Nothing goes beyond loopback, so no proxy may be asked. */
function onLoopback(context: CommandContext): CommandContext {
  const proxies = { http: undefined, https: undefined, except: undefined };
  return { ...context, environment: { ...context.environment, proxies } };
}
