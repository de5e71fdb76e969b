import { z } from 'zod';
import type { Run } from '../../../shared/run.ts';
import { pages } from './pages.ts';
import type { PolicyTransport } from './policy-transport.ts';

const Catalogue = z.looseObject({ repositories: z.array(z.string()).nullish() });
/** The most that distribution gives out at once by default. */
const pageSize = 1000;

/** The repositories of a registry, where it lists them; public ones refuse. */
export async function* listCatalogue(
  transport: PolicyTransport,
  run: Run,
): AsyncGenerator<string, void, undefined> {
  const list = {
    request: {
      method: 'GET',
      url: transport.url(`_catalog?n=${pageSize}`),
      purpose: 'listing its repositories',
      scopes: [{ type: 'registry', name: 'catalog', actions: ['*'] }],
    },
    schema: Catalogue,
  } as const;
  for await (const page of pages(transport, list, run)) yield* page.repositories ?? [];
}
