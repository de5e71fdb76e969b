import { MediaTypes } from '../oci/media-types.ts';
import type { LockedFile } from '../release/lock.ts';
import type { Run } from '../shared/run.ts';
import type { PlannedFile } from './planned-items.ts';
import type { PlanPorts } from './ports.ts';
import { orFailed, type Resolution, refused, resolved } from './resolution.ts';

/** Files that programs run are named so in the Release; everything else is only read. */
const defaultMode = '0644';

/** Asks for a file's size; its digest is in the Release. */
export function lockFile(
  planned: PlannedFile,
  earlier: LockedFile | undefined,
  ports: PlanPorts,
  run: Run,
): Promise<Resolution<LockedFile>> {
  const { file, reason } = planned;
  return orFailed(reason, file.name, async () => {
    const size = sizeIn(earlier, file) ?? (await ports.fileSize(file.url, run));
    if (size === undefined) {
      return refused(reason, {
        code: 'FILE_SIZE_UNKNOWN',
        message: `the server of ${file.url} does not say how large the file is`,
        hint: 'put the file on a server that answers HEAD with a Content-Length',
      });
    }
    return resolved(describe(planned, size));
  });
}

/** The same without any server (`plan --offline`). */
export function lockFileOffline(
  planned: PlannedFile,
  earlier: LockedFile | undefined,
): Resolution<LockedFile> {
  const size = sizeIn(earlier, planned.file);
  if (size !== undefined) return resolved(describe(planned, size));
  return refused(planned.reason, {
    code: 'LOCK_LACKS_IMAGE',
    message: `the file ${planned.file.name} is not in the earlier Lock with this digest`,
    hint: 'plan once where its server can be reached, without --offline',
  });
}

function sizeIn(earlier: LockedFile | undefined, file: PlannedFile['file']): number | undefined {
  return earlier?.blob.digest === file.digest ? earlier.blob.size : undefined;
}

function describe({ file, reason }: PlannedFile, size: number): LockedFile {
  return {
    name: file.name,
    ...(file.version !== undefined && { version: file.version }),
    ...(file.platform !== undefined && { platform: file.platform }),
    url: file.url,
    mode: file.mode ?? defaultMode,
    blob: { digest: file.digest, size, mediaType: MediaTypes.octets },
    reasons: [reason],
  };
}
