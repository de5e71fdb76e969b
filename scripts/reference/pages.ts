import { commandTable } from '../../src/cli/command-table.ts';
import { loadDocumentSchemas } from '../../src/cli/document-kinds.ts';
import { commandsPage } from './commands-page.ts';
import { documentPage, documentPagePath } from './document-page.ts';

/** A page that is made from the code; `render` keeps what people wrote into it. */
export interface GeneratedPage {
  readonly path: string;
  render(before: string): string;
}

/** All generated pages of docs/reference; paths from the project's root. */
export async function generatedPages(): Promise<readonly GeneratedPage[]> {
  const commands = await commandsPage(commandTable);
  const schemas = await loadDocumentSchemas();
  return [
    { path: 'docs/reference/commands.md', render: () => commands },
    ...schemas.map((schema) => ({
      path: documentPagePath(schema.kind),
      render: (before: string) => documentPage(schema, before),
    })),
  ];
}
