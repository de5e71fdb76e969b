import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sinkContract } from './sink.contract.ts';
import { openTarSink } from './tar-sink.ts';

sinkContract('tar', openTarSink, async (path) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex'),
);
