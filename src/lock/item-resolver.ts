import { fileIdentity } from '../release/file-fields.ts';
import type { Lock, LockedChart, LockedFile, LockedImage } from '../release/lock.ts';
import type { Run } from '../shared/run.ts';
import { lockFile, lockFileOffline } from './lock-file.ts';
import { lockImage, lockImageOffline } from './lock-image.ts';
import type { PlannedChart, PlannedFile, PlannedImage } from './planned-items.ts';
import type { PlanPorts } from './ports.ts';
import type { Resolution } from './resolution.ts';
import { lockChart, lockChartOffline } from './resolve-chart.ts';

/** Turns what is planned into what is locked, one artefact at a time. */
export interface ItemResolver {
  image(item: PlannedImage, run: Run): Promise<Resolution<LockedImage>>;
  chart(item: PlannedChart, run: Run): Promise<Resolution<LockedChart>>;
  file(item: PlannedFile, run: Run): Promise<Resolution<LockedFile>>;
}

/** Asks the sources; the earlier Lock saves it the manifests of what has not changed. */
export function onlineResolver(
  platforms: readonly string[],
  earlier: Lock | undefined,
  ports: PlanPorts,
): ItemResolver {
  const known = indexLock(earlier);
  return {
    image: (item, run) =>
      lockImage(item, { platforms, earlier: known.images.get(item.wanted.name) }, ports, run),
    chart: (item, run) => lockChart(item, known.charts.get(item.wanted.name), ports, run),
    file: (item, run) => lockFile(item, known.files.get(fileIdentity(item.file)), ports, run),
  };
}

/** Knows what the earlier Lock knows and asks nobody. */
export function offlineResolver(
  platforms: readonly string[],
  earlier: Lock | undefined,
): ItemResolver {
  const known = indexLock(earlier);
  return {
    image: async (item) =>
      lockImageOffline(item, { platforms, earlier: known.images.get(item.wanted.name) }),
    chart: async (item) => lockChartOffline(item, known.charts.get(item.wanted.name)),
    file: async (item) => lockFileOffline(item, known.files.get(fileIdentity(item.file))),
  };
}

function indexLock(lock: Lock | undefined) {
  const { images = [], charts = [], files = [] } = lock?.spec ?? {};
  return {
    images: new Map(images.map((image) => [image.name, image])),
    charts: new Map(charts.map((chart) => [chart.name, chart])),
    files: new Map(files.map((file) => [fileIdentity(file), file])),
  };
}
