/** Dates and times as Go's TOML libraries read them. */

/** What differs between the libraries. */
export interface DateRules {
  /** Whether the seconds of a time may be left out, as in TOML 1.1. */
  readonly mayLackSeconds: boolean;
  /** Whether a minute may have 61 seconds, the last one numbered 60. */
  readonly hasLeapSeconds: boolean;
  /** The largest hours and minutes of an offset: Go's own parser takes `+24:60`. */
  readonly largestOffset: readonly [hours: number, minutes: number];
}

const pattern =
  /^(?:(\d{4})-(\d\d)-(\d\d))?(?:(?:^|[Tt ])(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?([Zz]|[+-](\d\d):(\d\d))?$/;

/** True for `2026-02-28T07:32:00Z`, `2026-02-28 07:32:00`, `2026-02-28`, `07:32:00`. */
export function isDate(written: string, rules: DateRules): boolean {
  const found = pattern.exec(written);
  if (found === null) return false;
  const [, year, month, day, hour, minute, second, zone, zoneHours, zoneMinutes] = found;
  if (year === undefined && hour === undefined) return false;
  if (zone !== undefined && (year === undefined || hour === undefined)) return false;
  if (year !== undefined && !isDay(Number(year), Number(month), Number(day))) return false;
  if (hour !== undefined && second === undefined && !rules.mayLackSeconds) return false;
  const [mostHours, mostMinutes] = rules.largestOffset;
  return (
    isUpTo(hour, 23) &&
    isUpTo(minute, 59) &&
    isUpTo(second, rules.hasLeapSeconds ? 60 : 59) &&
    isUpTo(zoneHours, mostHours) &&
    isUpTo(zoneMinutes, mostMinutes)
  );
}

function isUpTo(digits: string | undefined, most: number): boolean {
  return digits === undefined || Number(digits) <= most;
}

function isDay(year: number, month: number, day: number): boolean {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}
