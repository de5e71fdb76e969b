import type { TestContext } from 'node:test';
import { type ProgressEvent, type Run, startRun } from '../../src/shared/run.ts';

/** A run that ends with the test; `events` collects its progress if given. */
export function testRun(t: TestContext, events?: ProgressEvent[]): Run {
  const onProgress = (event: ProgressEvent) => void events?.push(event);
  return startRun({ signal: t.signal, onProgress });
}
