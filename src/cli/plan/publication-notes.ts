import type { Lock } from '../../release/lock.ts';
import { publishableArtefacts } from '../../release/publishable-artefacts.ts';
import { surveyRepositories } from '../../site/repository-survey.ts';
import type { Site } from '../../site/site.ts';
import type { PlanNote } from './plan-notes.ts';

/** The layout that Sites have by default; where the registry is makes no difference. */
const byDefault = [{ address: 'registry' }];

/**
 * Upstreams that a Site cannot put side by side in the layout that it has by default (R0-53). Once a
 * Site is given it decides itself, so there is nothing left to say.
 */
export function publicationNotes(lock: Lock, sites: readonly Site[]): readonly PlanNote[] {
  if (sites.length > 0) return [];
  const { collisions, mixtures } = surveyRepositories(publishableArtefacts(lock), byDefault);
  return [
    ...collisions.map(({ images }) => images.map(({ image }) => image)),
    ...mixtures.map(({ upstreams }) => upstreams.map(({ repository }) => repository)),
  ].map((names) => ({
    kind: 'same-path',
    text: `${names.join(' and ')} have one path; a Site for them publishes keep-host or projects, not keep-path`,
  }));
}
