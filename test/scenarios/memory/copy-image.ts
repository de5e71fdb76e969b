/** The process whose memory memory.test.ts reads: copies `big:v1` from one registry to another, past the disk. */
import { copyImages } from '../../../src/registry/client/copy/copy-images.ts';
import { openRegistry } from '../../../src/registry/client/open-registry.ts';
import { defaultClientSettings } from '../../../src/registry/client/settings.ts';
import { systemClock } from '../../../src/shared/ports.ts';
import { startRun } from '../../../src/shared/run.ts';

const [, , from = '', to = ''] = process.argv;
const settings = defaultClientSettings({
  clock: systemClock,
  random: Math.random,
  userAgent: 'slipway/test',
});
const open = (url: string) => openRegistry({ name: new URL(url).host, url, trust: {} }, settings);
const [source, target] = [open(from), open(to)];
const job = {
  source: source.repository('big'),
  reference: 'v1',
  target: target.repository('copied'),
  tags: ['v1'],
};
const { totals } = await copyImages([job], { random: Math.random }, startRun());
await Promise.all([source.close(), target.close()]);
process.exitCode = totals.failed === 0 ? 0 : 1;
