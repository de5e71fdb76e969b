import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ProofReport } from '../../proof/report.ts';
import { alignColumns, wrapText } from '../columns.ts';
import type { CommandContext } from '../command.ts';
import { QuickstartDeviated } from '../errors.ts';
import { expectedFailures, loseLayer, misnameRules } from './faults.ts';
import type { InnerShell } from './inner-shell.ts';
import { places } from './places.ts';
import { policyText, releaseText, siteHost, siteText } from './sample-documents.ts';
import { sampleRegistries } from './sample-images.ts';
import { startUpstreams } from './sample-upstreams.ts';

/** What the chapters of the quickstart share. */
export interface Story {
  readonly context: CommandContext;
  readonly shell: InnerShell;
  readonly folder: string;
}

const { release, policy, lock, bundle, site, node, tlsFolder, caFile, store, report } = places;

/** Three registries, a Release, a Lock, a bundle; then the registries are gone. */
export async function makeBundle({ context, shell, folder }: Story): Promise<void> {
  const registries = sampleRegistries();
  const upstreams = await startUpstreams(registries, context.run);
  try {
    await writeFile(join(folder, release), releaseText(registries, upstreams));
    await writeFile(join(folder, policy), policyText(upstreams));
    const rows = upstreams.map(({ host, url }) => [host, `here at ${url}`]);
    shell.tell(
      [
        `Everything happens on this machine, in ${folder}`,
        ...wrapText(
          `A sample release was made on the spot (${release}, ${policy}): 9 images for 2 platforms, a chart and a file, from three registries that run here in place of the real ones:`,
          context.terminal.width,
        ),
        '',
        ...alignColumns(rows).map((line) => `  ${line}`),
      ].join('\n'),
    );
    shell.chapter('Lock the release: everything by digest, with its reasons');
    await shell.run(['plan', release, policy]);
    shell.chapter('Fetch it all into one bundle');
    await shell.run(['bundle', 'create', lock, '--policy', policy, '--own-use', '-o', bundle]);
  } finally {
    await Promise.all(upstreams.map(({ server }) => server.stop()));
  }
  shell.tell('\nThe three registries are stopped now. From here on, everything is offline.');
  shell.chapter('Carry the bundle to the site, and check every byte of it there');
  await shell.run(['bundle', 'verify', bundle]);
}

/** The registry of the site runs until this is disposed. */
export async function serveSite({
  shell,
  folder,
}: Story): Promise<AsyncDisposable & { readonly url: string }> {
  shell.chapter('Start the registry of the site, with an authority of its own');
  const serving = await shell.start(
    [
      ...['registry', 'serve', '--store', store, '--listen', `127.0.0.1:${await freePort()}`],
      ...['--tls-self-signed', siteHost, '--tls-folder', tlsFolder, '--quiet'],
    ],
    / at (https:\S+),/,
  );
  const url = serving.found;
  const text = siteText(new URL(url).host, caFile);
  await writeFile(join(folder, site), text);
  shell.showCommand(`cat ${site}`);
  shell.tell(text.trimEnd());
  return { url, [Symbol.asyncDispose]: () => serving.stop() };
}

/** Free a moment ago: the command that is shown has to take the port that the Site names, also when it is pasted. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Fills the registry of the site and writes the rules of one node. */
export async function setUpNode({ shell, folder }: Story): Promise<void> {
  shell.chapter('Load the bundle: each image under two names, each byte once');
  await shell.run(['load', bundle, '--site', site]);
  shell.chapter('Tell a node to pull from there, and from nowhere else');
  await mkdir(join(folder, node));
  await shell.run(['mirrors', 'write', '--site', site, '--lock', lock, '--root', node]);
}

/** Two faults of real life, the proof that finds them, and the repair that it names. */
export async function spoilAndRepair(story: Story, url: string): Promise<void> {
  const { context, shell, folder } = story;
  shell.chapter('Two things go wrong: a rules file gets a wrong name, and a layer gets lost');
  await misnameRules(shell, folder);
  await loseLayer(context, shell, folder, { url, caFile });
  shell.chapter('Prove before anything is installed: this must fail');
  await shell.run(proveWords, 1);
  const proof = await readReport(folder);
  checkFailures(proof);
  shell.chapter('Repair it with the commands that the proof gave');
  for (const command of repairs(proof)) await shell.run(command.split(' ').slice(1));
}

/** Proves again; the number of images, all of them proven. */
export async function proveAll({ shell, folder }: Story): Promise<number> {
  shell.chapter('Prove again, this time down to the last byte');
  await shell.run([...proveWords, '--deep']);
  const { totals } = await readReport(folder);
  if (totals.images !== 9 || totals.proven !== 9) {
    throw new QuickstartDeviated({ because: `${totals.proven} of ${totals.images} are proven` });
  }
  return totals.proven;
}

const proveWords = ['prove', lock, '--site', site, '--root', node, '--report', report];

async function readReport(folder: string): Promise<ProofReport> {
  const text: unknown = JSON.parse(await readFile(join(folder, report), 'utf8'));
  return ProofReport.parse(text);
}

/** The proof must have found the two faults and nothing else. */
function checkFailures({ results }: ProofReport): void {
  const found = new Map<string, string>();
  for (const { image, verdict } of results) {
    if (verdict.kind !== 'proven') found.set(image, verdict.kind);
  }
  const text = (failures: Iterable<readonly [string, string]>) =>
    JSON.stringify([...failures].sort());
  const [want, got] = [text(Object.entries(expectedFailures)), text(found)];
  if (want === got) return;
  throw new QuickstartDeviated({ because: `the proof should find ${want} and found ${got}` });
}

/** The commands that a report advises, each once, in its order. */
function repairs({ results }: ProofReport): readonly string[] {
  const steps = results.flatMap(({ verdict }) => (verdict.kind === 'proven' ? [] : verdict.do));
  const commands = steps.filter((step) => step.startsWith('slipway '));
  return [...new Set(commands)];
}
