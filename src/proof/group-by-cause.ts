import type { Asked, Failure, ProofResult } from './report.ts';

/** Images that fail for one reason and are repaired in one way. */
export interface CauseGroup {
  readonly summary: string;
  /** In the order of the report, each with the platforms that it fails on. */
  readonly images: ReadonlyArray<{ readonly name: string; readonly platforms: readonly string[] }>;
  /** The requests of the first image. */
  readonly asked: readonly Asked[];
  readonly because: readonly string[];
  /** What to do, in this order; commands name all images, or none when they are many. */
  readonly steps: readonly string[];
  /** True when any one of the steps may be what helps: a moved tag, or one that a load rewrote. */
  readonly isChoice: boolean;
}

/** More names make a command line that nobody reads; loading all moves no bytes that are there. */
const namedImages = 3;
/** More reasons of one kind, such as one for each registry, tell nothing new. */
const shownReasons = 4;

/**
 * Failures by what they have in common: the sentence about them, and what to do but for the name of the
 * image. `results` of two images that are not found → one group with one command for both.
 */
export function groupByCause(results: readonly ProofResult[]): readonly CauseGroup[] {
  const failures = results.flatMap(({ image, platform, verdict }) =>
    verdict.kind === 'proven' ? [] : [{ image, platform, failure: verdict }],
  );
  const groups = Map.groupBy(failures, ({ image, failure }) => {
    const urls = failure.asked.map(({ url }) => url);
    const steps = failure.do.map((step) =>
      urls.reduce((text, url) => withoutImage(text, url), withoutImage(step, image)),
    );
    return JSON.stringify([failure.kind, withoutImage(failure.summary, image), steps]);
  });
  return Array.from(groups.values(), groupOf);
}

interface FailedImage {
  readonly image: string;
  readonly platform: string;
  readonly failure: Failure;
}

function groupOf(members: readonly FailedImage[]): CauseGroup {
  const byImage = Map.groupBy(members, ({ image }) => image);
  const images = Array.from(byImage, ([name, own]) => ({
    name,
    platforms: own.map(({ platform }) => platform),
  }));
  const names = images.map(({ name }) => name);
  const [first] = members;
  const because = [...new Set(members.flatMap(({ failure }) => failure.because))];
  const more = because.length - shownReasons;
  return {
    images,
    summary: first?.failure.summary ?? '',
    asked: first?.failure.asked ?? [],
    isChoice: first?.failure.kind === 'tag-moved',
    because:
      more > 1 ? [...because.slice(0, shownReasons), `… and ${more} more like these`] : because,
    steps: (first?.failure.do ?? []).map((step) => forAll(step, first?.image ?? '', names)),
  };
}

/** Commands name an image behind `--only`, or with the rest of a sentence. */
function withoutImage(text: string, image: string): string {
  return text.replaceAll(image, '…');
}

function forAll(step: string, image: string, names: readonly string[]): string {
  const named = ` --only ${image}`;
  if (!step.includes(named)) return step;
  const all = names.length > namedImages ? '' : names.map((name) => ` --only ${name}`).join('');
  return step.replace(named, all);
}
