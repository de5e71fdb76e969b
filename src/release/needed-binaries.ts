import type { MatrixLine } from './matrix.ts';
import type { Release } from './release.ts';
import { compareVersions } from './versions.ts';

/** A binary that nodes need and no file of the Release provides. */
export interface MissingBinary {
  readonly name: string;
  readonly version: string;
  readonly platform: string;
  readonly because: string;
}

/**
 * The binaries of a matrix line that the Release does not list under `files`, for each of its Linux
 * platforms: `{ name: 'kubelet', version: 'v1.28.8', platform: 'linux/arm64', … }`. Worth a note, no
 * error: nodes may get them from a package repository. A file without a version counts.
 */
export function missingBinaries(release: Release, line: MatrixLine): readonly MissingBinary[] {
  const { platforms, files = [] } = release.spec;
  const linux = platforms.filter((platform) => platform.startsWith('linux/'));
  return line.binaries.flatMap((binary) =>
    linux.flatMap((platform) => {
      const isListed = files.some(
        (file) =>
          file.name === binary.name &&
          (file.platform ?? platform) === platform &&
          compareVersions(file.version ?? binary.version, binary.version) === 0,
      );
      return isListed ? [] : [{ ...binary, platform }];
    }),
  );
}
