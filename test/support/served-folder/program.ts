/** The process that serve-folder.ts starts: serves FOLDER and prints its URL. */
import { openDirRegistry } from '../../../src/registry/server/dir-registry.ts';
import { startRegistryServer } from '../../../src/registry/server/server.ts';
import { startRun } from '../../../src/shared/run.ts';

const [, , folder = ''] = process.argv;
const server = await startRegistryServer({ storage: await openDirRegistry(folder) }, startRun());
process.stdout.write(`${server.url}\n`);
