import { contentPlace, inPlace } from '../oci/content-place.ts';
import { parseManifest } from '../oci/manifest.ts';
import { MediaTypes } from '../oci/media-types.ts';
import type { LockedChart } from '../release/lock.ts';
import type { Run } from '../shared/run.ts';
import { cachedReader } from './image-reader.ts';
import { lockedBlob } from './locked-blob.ts';
import { firstReason, type PlannedChart } from './planned-items.ts';
import type { PlanPorts } from './ports.ts';
import { orFailed, type Resolution, refused, resolved } from './resolution.ts';

/** Resolves one chart: a manifest whose config is Helm's. Its layers are the archive and its provenance. */
export function lockChart(
  planned: PlannedChart,
  earlier: LockedChart | undefined,
  ports: PlanPorts,
  run: Run,
): Promise<Resolution<LockedChart>> {
  const { wanted } = planned;
  return orFailed(firstReason(wanted), wanted.name, async () => {
    const reader = cachedReader(ports.sourceOf(planned.source), ports.cache);
    const target = await reader.resolve(planned.source.reference, earlier !== undefined, run);
    if (earlier?.manifest.digest === target.digest) return resolved(describe(planned, earlier));
    const { descriptor, bytes } = await reader.read(target, 'manifest', run);
    const where = contentPlace(reader.label, descriptor.digest, 'source');
    const manifest = inPlace(where, () => parseManifest(bytes, descriptor.mediaType));
    if (manifest.kind !== 'image' || manifest.content.config.mediaType !== MediaTypes.helmConfig) {
      return notAChart(planned, manifest.mediaType);
    }
    const { config, layers } = manifest.content;
    return resolved(
      describe(planned, {
        manifest: lockedBlob({ ...descriptor, mediaType: manifest.mediaType }),
        config: lockedBlob(config),
        layers: layers.map(lockedBlob),
      }),
    );
  });
}

/** The same without any registry (`plan --offline`). */
export function lockChartOffline(
  planned: PlannedChart,
  earlier: LockedChart | undefined,
): Resolution<LockedChart> {
  if (earlier !== undefined) return resolved(describe(planned, earlier));
  return refused(firstReason(planned.wanted), {
    code: 'LOCK_LACKS_IMAGE',
    message: `the chart ${planned.wanted.name} is not in the earlier Lock`,
    hint: 'plan once where the registries can be reached, without --offline',
  });
}

function describe(
  planned: PlannedChart,
  shape: Pick<LockedChart, 'manifest' | 'config' | 'layers'>,
): LockedChart {
  const { wanted, placement } = planned;
  return {
    name: wanted.name,
    version: wanted.version,
    class: placement.class,
    ...(wanted.licence !== undefined && { licence: wanted.licence }),
    redistribution: placement.redistribution,
    ...(placement.because !== undefined && { redistributionBecause: placement.because }),
    ...(wanted.feature !== undefined && { feature: wanted.feature }),
    source: planned.source,
    manifest: shape.manifest,
    config: shape.config,
    layers: [...shape.layers],
    reasons: [...wanted.reasons],
  };
}

function notAChart(planned: PlannedChart, mediaType: string): Resolution<never> {
  return refused(firstReason(planned.wanted), {
    code: 'CHART_NOT_A_CHART',
    message: `${planned.wanted.name} is no Helm chart: it is ${mediaType} without a Helm config`,
    hint: 'list an image under "images"; push charts with "helm push"',
  });
}
