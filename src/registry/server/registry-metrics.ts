/** What the registry counts, and its text form for Prometheus. */

/** One finished request, as the metrics see it. */
export interface RequestSample {
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

const buckets: readonly number[] = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE']);

/** The counters of one registry. Labels are bounded: unknown methods count as `other`. */
export class RegistryMetrics {
  readonly #requests = new Map<string, number>();
  readonly #durations = new Array<number>(buckets.length).fill(0);
  #durationSum = 0;
  #count = 0;
  #bytesIn = 0;
  #bytesOut = 0;
  inFlight = 0;

  add(sample: RequestSample): void {
    const method = methods.has(sample.method) ? sample.method : 'other';
    const labels = `method="${method}",code="${sample.status}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
    const seconds = sample.durationMs / 1000;
    const bucket = buckets.findIndex((limit) => seconds <= limit);
    if (bucket !== -1) this.#durations[bucket] = (this.#durations[bucket] ?? 0) + 1;
    this.#durationSum += seconds;
    this.#count += 1;
    this.#bytesIn += sample.bytesIn;
    this.#bytesOut += sample.bytesOut;
  }

  /**
   * The counters in Prometheus' text format, with `openUploads` as told by the registry.
   * Source: https://prometheus.io/docs/instrumenting/exposition_formats/
   */
  render(openUploads: number): string {
    const requests = [...this.#requests].sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      ...metric('requests_total', 'counter', 'Requests answered.'),
      ...requests.map(([labels, count]) => line(`requests_total{${labels}}`, count)),
      ...metric('request_duration_seconds', 'histogram', 'Time from request to end of answer.'),
      ...this.#histogram(),
      ...single('received_bytes_total', 'counter', 'Bytes of request bodies.', this.#bytesIn),
      ...single('sent_bytes_total', 'counter', 'Bytes of answer bodies.', this.#bytesOut),
      ...single('requests_in_flight', 'gauge', 'Requests being answered.', this.inFlight),
      ...single('open_uploads', 'gauge', 'Uploads begun and not ended.', openUploads),
      '',
    ].join('\n');
  }

  #histogram(): readonly string[] {
    let total = 0;
    const lines = buckets.map((limit, index) => {
      total += this.#durations[index] ?? 0;
      return line(`request_duration_seconds_bucket{le="${limit}"}`, total);
    });
    return [
      ...lines,
      line('request_duration_seconds_bucket{le="+Inf"}', this.#count),
      line('request_duration_seconds_sum', this.#durationSum),
      line('request_duration_seconds_count', this.#count),
    ];
  }
}

type MetricType = 'counter' | 'gauge' | 'histogram';

const prefix = 'slipway_registry_';

function metric(name: string, type: MetricType, help: string): readonly string[] {
  return [`# HELP ${prefix}${name} ${help}`, `# TYPE ${prefix}${name} ${type}`];
}

function single(name: string, type: MetricType, help: string, value: number): readonly string[] {
  return [...metric(name, type, help), line(name, value)];
}

function line(name: string, value: number): string {
  return `${prefix}${name} ${value}`;
}
