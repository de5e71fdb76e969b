import { commandTable } from '../../src/cli/command-table.ts';
import { loadDocumentSchemas } from '../../src/cli/document-kinds.ts';
import { loadFindingRules } from '../../src/mirrors/finding-rules.ts';
import { commandsPage } from './commands-page.ts';
import { documentPage, documentPagePath } from './document-page.ts';
import { mirrorRulesPage, mirrorRulesPath } from './mirror-rules-page.ts';
import { runtimePages } from './runtime-facts.ts';
import { runtimePage, runtimePagePath } from './runtime-page.ts';

/** A page that is made from the code or from data; `render` keeps what people wrote into it. */
export interface GeneratedPage {
  readonly path: string;
  render(before: string): string;
}

/** All generated pages of docs/reference; paths from the project's root. */
export async function generatedPages(): Promise<readonly GeneratedPage[]> {
  const commands = await commandsPage(commandTable);
  const { all: rules } = await loadFindingRules();
  const runtimes = await Promise.all(
    runtimePages.map(async (page) => ({
      path: runtimePagePath(page),
      text: await runtimePage(page),
    })),
  );
  const schemas = await loadDocumentSchemas();
  return [
    { path: 'docs/reference/commands.md', render: () => commands },
    { path: mirrorRulesPath, render: (before) => mirrorRulesPage(rules, before) },
    ...runtimes.map(({ path, text }) => ({ path, render: () => text })),
    ...schemas.map((schema) => ({
      path: documentPagePath(schema.kind),
      render: (before: string) => documentPage(schema, before),
    })),
  ];
}
