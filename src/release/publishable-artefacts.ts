import type { Digest } from '../oci/digest.ts';
import { parseReference, type Reference } from '../oci/reference.ts';
import type { Lock, LockedChart, LockedImage } from './lock.ts';

/** What decides the names of an image or chart of a Lock in the registries of a Site. */
export interface PublishableArtefact {
  readonly kind: 'image' | 'chart';
  readonly reference: Reference;
  readonly class: string;
  readonly flatName: string | undefined;
  readonly target: Digest;
}

/** `registry.k8s.io/pause:3.9` of a Lock, as it is named in a registry. */
export function publishableImage(image: LockedImage): PublishableArtefact {
  const { name, class: className, flatName, target } = image;
  return {
    kind: 'image',
    reference: parseReference(name),
    class: className,
    flatName,
    target: target.digest,
  };
}

/** The same for a chart, which has no name for templates. */
export function publishableChart(chart: LockedChart): PublishableArtefact {
  const { name, class: className, manifest } = chart;
  return {
    kind: 'chart',
    reference: parseReference(name),
    class: className,
    flatName: undefined,
    target: manifest.digest,
  };
}

/** Everything of a Lock that gets names in a registry: images, then charts, in its order. */
export function publishableArtefacts({ spec }: Pick<Lock, 'spec'>): PublishableArtefact[] {
  return [...spec.images.map(publishableImage), ...spec.charts.map(publishableChart)];
}
