import type { Lock, LockedImage, LockedReason } from '../../release/lock.ts';
import { formatBytes } from '../../shared/quantities.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { readLockFile } from '../read-lock-file.ts';

/** What the user asked for. */
export interface WhyOrder {
  readonly name: string;
  readonly lockFile: string | undefined;
}

/** One artefact of a Lock with its reasons. */
interface Explained {
  readonly name: string;
  readonly facts: readonly string[];
  readonly reasons: readonly LockedReason[];
}

/** Finds everything whose name has the text in it. */
export async function runWhy(context: CommandContext, order: WhyOrder): Promise<CommandResult> {
  const { file, lock } = await readLockFile(order.lockFile, context);
  const found = explain(lock).filter(({ name }) => name.includes(order.name));
  if (found.length === 0) {
    return {
      json: { lock: file, name: order.name, found },
      text: `nothing in ${file} has "${order.name}" in its name`,
      negative: true,
    };
  }
  return { json: { lock: file, name: order.name, found }, text: found.map(format).join('\n\n') };
}

function explain({ spec }: Lock): Explained[] {
  const sized = (items: readonly { readonly size: number }[]) =>
    formatBytes(items.reduce((sum, item) => sum + item.size, 0));
  return [
    ...spec.images.map((image) => ({
      name: image.name,
      facts: [
        `locked to ${image.target.digest}`,
        ...image.platforms.map(
          ({ kind = 'image', platform, layers, config }) =>
            `${kind === 'image' ? `for ${platform}` : manifestKinds[kind]}, ${sized([config, ...layers])}`,
        ),
        travelFact(image),
        `from ${image.source.registry}/${image.source.repository}`,
      ],
      reasons: image.reasons,
    })),
    ...spec.charts.map((chart) => ({
      name: chart.name,
      facts: [`locked to ${chart.manifest.digest}`, travelFact(chart)],
      reasons: chart.reasons,
    })),
    ...spec.files.map((file) => ({
      name: file.name,
      facts: [`locked to ${file.blob.digest}`, `from ${file.url}`],
      reasons: file.reasons,
    })),
  ];
}

function travelFact(
  judged: Pick<LockedImage, 'class' | 'redistribution' | 'redistributionBecause'>,
): string {
  const fact = `class ${judged.class}, ${travel[judged.redistribution]}`;
  const { redistributionBecause: because } = judged;
  return because === undefined ? fact : `${fact}: ${because}`;
}

const manifestKinds = {
  artefact: 'an artefact for no platform in particular',
  attestation: 'an attestation, which no node asks for',
} as const;

const travel = {
  allowed: 'may be given to others',
  review: 'a person has to look at its licence before it travels',
  'own-use-only': 'for own use only',
} as const;

function format({ name, facts, reasons }: Explained): string {
  const why = reasons.map(
    ({ component, because, file, line, column }) =>
      `  why    ${component}: ${because}  (${file}:${line}:${column})`,
  );
  return [name, ...why, ...facts.map((fact) => `  ${fact}`)].join('\n');
}
