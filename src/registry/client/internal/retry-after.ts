import type { Clock } from '../../../shared/ports.ts';

/**
 * The wait that an answer asks for, in milliseconds: seconds (`120`) or a date
 * (`Wed, 21 Oct 2026 07:28:00 GMT`, measured against the wall clock; the past gives 0).
 * Undefined for a missing or unreadable header. Source: RFC 9110, section 10.2.3.
 */
export function retryAfterMs(header: string | undefined, clock: Clock): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (!/[a-z]/i.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}
