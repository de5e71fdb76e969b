import { defineCommand } from '../command.ts';
import { documentKindNames, loadDocumentSchemas } from '../document-kinds.ts';

export const schemaCommand = defineCommand({
  description:
    'Editors complete and check documents with it: save it, and name the file in the first line of a document as "# yaml-language-server: $schema=release.schema.json".',
  arguments: {
    kind: {
      kind: 'choice',
      choices: documentKindNames,
      required: true,
      summary: 'the document kind',
    },
  },
  options: {},
  isInstant: true,
  examples: [
    { run: 'slipway schema Release > release.schema.json', does: 'Save the schema of Releases' },
  ],
  async run(_context, input) {
    const { jsonSchemaFor } = await import('../../documents/json-schema.ts');
    const kinds = await loadDocumentSchemas();
    const found = kinds.filter(({ kind }) => kind === input.arguments.kind);
    const [schema] = found.map(jsonSchemaFor);
    return { json: schema, text: JSON.stringify(schema, undefined, 2) };
  },
});
