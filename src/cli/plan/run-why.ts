import type { Digest } from '../../oci/digest.ts';
import type {
  Lock,
  LockedChart,
  LockedImage,
  LockedReason,
  Redistribution,
} from '../../release/lock.ts';
import { formatBytes } from '../../shared/quantities.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { readLockFile } from '../read-lock-file.ts';
import { travel } from './travel.ts';

/** What the user asked for. */
export interface WhyOrder {
  readonly name: string;
  readonly lockFile: string | undefined;
}

/** One artefact of a Lock: what is locked, from where, how it may travel, and who asks for it. */
interface Explained {
  readonly kind: 'image' | 'chart' | 'file';
  readonly name: string;
  readonly digest: Digest;
  /** What there is of it for each platform; attestations and the like have none. */
  readonly parts: readonly ExplainedPart[];
  /** The repository or the address that it is fetched from. */
  readonly from: string;
  readonly class?: string;
  readonly redistribution?: Redistribution;
  readonly because?: string;
  readonly reasons: readonly LockedReason[];
}

interface ExplainedPart {
  readonly kind: 'image' | keyof typeof manifestKinds;
  readonly platform?: string;
  readonly bytes: number;
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
  return [
    ...spec.images.map((image) => ({
      kind: 'image' as const,
      name: image.name,
      digest: image.target.digest,
      parts: image.platforms.map(({ kind = 'image', platform, layers, config }) => ({
        kind,
        ...(platform !== undefined && { platform }),
        bytes: [config, ...layers].reduce((sum, { size }) => sum + size, 0),
      })),
      ...judgementOf(image),
      from: sourceOf(image),
      reasons: image.reasons,
    })),
    ...spec.charts.map((chart) => ({
      kind: 'chart' as const,
      name: chart.name,
      digest: chart.manifest.digest,
      parts: [],
      ...judgementOf(chart),
      from: sourceOf(chart),
      reasons: chart.reasons,
    })),
    ...spec.files.map((file) => ({
      kind: 'file' as const,
      name: file.name,
      digest: file.blob.digest,
      parts: [],
      from: file.url,
      reasons: file.reasons,
    })),
  ];
}

function judgementOf(judged: LockedImage | LockedChart) {
  const { redistribution, redistributionBecause: because } = judged;
  return { class: judged.class, redistribution, ...(because !== undefined && { because }) };
}

function sourceOf({ source }: LockedImage | LockedChart): string {
  return `${source.registry}/${source.repository}`;
}

const manifestKinds = {
  artefact: 'an artefact for no platform in particular',
  attestation: 'an attestation, which no node asks for',
} as const;

function format(found: Explained): string {
  const why = found.reasons.map(
    ({ component, because, file, line, column }) =>
      `  why    ${component}: ${because}  (${file}:${line}:${column})`,
  );
  const facts = [
    `locked to ${found.digest}`,
    ...found.parts.map(partFact),
    ...travelFact(found),
    `from ${found.from}`,
  ];
  return [found.name, ...why, ...facts.map((fact) => `  ${fact}`)].join('\n');
}

function partFact({ kind, platform, bytes }: ExplainedPart): string {
  const what = kind === 'image' ? `for ${platform}` : manifestKinds[kind];
  return `${what}, ${formatBytes(bytes)}`;
}

function travelFact({ class: name, redistribution, because }: Explained): string[] {
  if (redistribution === undefined) return [];
  const fact = `class ${name}, ${travel[redistribution]}`;
  return [because === undefined ? fact : `${fact}: ${because}`];
}
