/** Sizes, rates and times as people read them: decimal units, two digits that matter. */

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** `2600000000` → `2.6 GB`, `950` → `950 B`, `12345678` → `12 MB`. */
export function formatBytes(bytes: number): string {
  const power = unitPower(bytes);
  return `${scaled(bytes, power)} ${units[power]}`;
}

/** A size against a limit in MiB, never too small: `10485761` → `10.1 MiB`. */
export function formatMebibytes(bytes: number): string {
  return `${Math.ceil((bytes / 1024 / 1024) * 10) / 10} MiB`;
}

/** A part and its whole in one unit: `1.2 of 2.6 GB`. */
export function formatBytesOf(done: number, total: number): string {
  const power = unitPower(total);
  return `${scaled(done, power)} of ${scaled(total, power)} ${units[power]}`;
}

/** `65.2` → `65 s`, `4000` → `1 h 6 min`, `0.4` → `0.4 s`; takes milliseconds. */
export function formatDuration(durationMs: number): string {
  const seconds = durationMs / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 119.5) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `(1, 'image')` → `1 image`, `(3, 'image')` → `3 images`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

function unitPower(bytes: number): number {
  let power = 0;
  // 999.5 kB would be rounded to 1000 kB.
  while (bytes / 1000 ** power >= 999.5 && power < units.length - 1) power += 1;
  return power;
}

function scaled(bytes: number, power: number): string {
  const value = bytes / 1000 ** power;
  return power === 0 || value >= 9.95 ? value.toFixed(0) : value.toFixed(1);
}
