import { MemoryRepositories } from './memory-repositories.ts';
import { repositoriesContract } from './repositories.contract.ts';

repositoriesContract('memory', async () => new MemoryRepositories());
