import type { TestEvent } from 'node:test/reporters';

/** Ends a test run with one plain line, `N passed, N failed, N skipped`; the dot reporter shows the rest. */
export default async function* reporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type !== 'test:summary' || event.data.file !== undefined) continue;
    const { tests, passed, skipped, todo } = event.data.counts;
    const failed = tests - passed - skipped - todo;
    yield `\n${passed} passed, ${failed} failed, ${skipped + todo} skipped\n`;
  }
}
