const nanoseconds: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

/**
 * Go's time.ParseDuration in milliseconds: `1m30s` → 90000, `0` → 0; undefined for text that Go
 * refuses, such as `3` (no unit) and what is longer than 292 years. Source: https://pkg.go.dev/time#ParseDuration
 */
export function parseGoDuration(text: string): number | undefined {
  const sign = text.startsWith('-') ? -1 : 1;
  const body = text.replace(/^[-+]/, '');
  if (body === '0') return 0;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return undefined;
  const parts = body.matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g);
  const sum = parts.reduce((total, [, whole, fraction = '', unit = '']) => {
    const factor = nanoseconds[unit] ?? 0;
    const rest = Math.trunc(Number(fraction) * (factor / 10 ** fraction.length));
    return total + Number(whole) * factor + rest;
  }, 0);
  return sum < 2 ** 63 ? (sign * sum) / 1e6 : undefined;
}
