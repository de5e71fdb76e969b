import type { AccessEntry } from '../../registry/server/watch-requests.ts';
import { formatBytes } from '../../shared/quantities.ts';
import { cleanLine } from '../clean-text.ts';

/**
 * One request for people:
 * `2026-01-01T00:00:00.000Z 10.0.0.7 ann GET /v2/pause/manifests/3.9 200 1.2 kB 3 ms containerd/2.1.1`.
 */
export function accessLine(entry: AccessEntry): string {
  const { method, status, isComplete, bytesIn, bytesOut, durationMs } = entry;
  const parts = [
    new Date(entry.timeMs).toISOString(),
    entry.remote,
    entry.user ?? '-',
    method,
    entry.url,
    isComplete ? String(status) : `${status} cut off`,
    bytesIn > 0 ? `${formatBytes(bytesIn)} in` : formatBytes(bytesOut),
    `${Math.round(durationMs)} ms`,
    entry.userAgent,
  ];
  // Paths and names of programs come from outside.
  return cleanLine(parts.join(' ').trimEnd());
}
