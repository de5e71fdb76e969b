import { encodeHeader, paddedSize, type TarFile, tarEndBytes } from '../shared/tar-header.ts';

/** Where an entry lies in an archive of ours. */
export interface Slot {
  readonly header: Buffer;
  readonly offset: number;
}

/** An archive whose every byte but the files' own is known. */
export interface TarLayout {
  readonly slots: ReadonlyMap<string, Slot>;
  readonly archiveBytes: number;
}

/** The only way in which we lay these files out: one after the other, then the end mark. */
export function layOutTar(files: readonly TarFile[]): TarLayout {
  const slots = new Map<string, Slot>();
  let offset = 0;
  for (const file of files) {
    const header = encodeHeader(file);
    slots.set(file.path, { header, offset });
    offset += header.length + paddedSize(file.size);
  }
  return { slots, archiveBytes: offset + tarEndBytes };
}
