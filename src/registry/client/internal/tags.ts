import { z } from 'zod';
import type { Run } from '../../../shared/run.ts';
import { RegistryRefused, RepositoryNotFound } from '../errors.ts';
import { isAbsent } from './manifest-reader.ts';
import { pages } from './pages.ts';
import type { RepositoryApi } from './repository-api.ts';

/** Go writes an empty list as null. */
const TagList = z.looseObject({ tags: z.array(z.string()).nullish() });
/** Some registries allow no more, and without a number distribution sends everything at once. */
const pageSize = 1000;

/** All tags of a repository, page by page. REPOSITORY_NOT_FOUND. */
export async function* listTags(api: RepositoryApi, run: Run): AsyncGenerator<string> {
  try {
    yield* tagsFrom(api, api.url(`tags/list?n=${pageSize}`), run);
  } catch (error) {
    // A registry that finds the page too large refuses the first one, before any tag was given out.
    const isTooLarge = error instanceof RegistryRefused && error.data.status === 400;
    if (!isTooLarge) throw error;
    yield* tagsFrom(api, api.url('tags/list'), run);
  }
}

async function* tagsFrom(api: RepositoryApi, url: URL, run: Run): AsyncGenerator<string> {
  const request = api.ask('GET', url, 'pull', `listing the tags of ${api.label}`);
  const list = {
    request,
    schema: TagList,
    otherwise: (response: Parameters<typeof isAbsent>[0]) =>
      isAbsent(response)
        ? new RepositoryNotFound({ ...api.about(request), label: api.label })
        : undefined,
  };
  for await (const page of pages(api.transport, list, run)) yield* page.tags ?? [];
}
