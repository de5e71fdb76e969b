/**
 * The same texts through the real parsers (Go, built here from their modules) and through ours.
 * Needs Go the first time: `node --test test/oracles/references/oracle.test.ts`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { parseCtrReference } from '../../../src/oci/dialects/ctr.ts';
import { parseAnyReference, parseWithoutDefaults } from '../../../src/oci/dialects/plain.ts';
import { parsePodmanReference } from '../../../src/oci/dialects/podman.ts';
import { ReferenceInvalid } from '../../../src/oci/errors.ts';
import {
  familiarName,
  formatReference,
  parseReference,
  pullReference,
} from '../../../src/oci/reference.ts';
import { askProgram } from '../../support/tools/ask-program.ts';
import { toolPath } from '../../support/tools/build-tools.ts';
import { runOptions } from '../run-options.ts';

const { seed, count } = runOptions({ count: 20_000 });

const Answer = z.record(z.string(), z.string());

const hex = 'e6693c20186f837fc393390135d8a598a96a833917917789d63766cab6c59582';
const pieces = [
  ...['a', 'b0', 'A', 'io', 'latest', 'localhost', 'docker.io', 'index.docker.io', 'library'],
  ...['.', '-', '_', '__', ':', '@', '/', '//', '..', ':5000', '[::1]', '[fd00::1%25eth0]', '://'],
  ...['%', '%25', '%41', '%C3%A9', 'é', '版', '😀', ' ', '\t', '\u00a0', '\x7f', '?', '#'],
  ...['"', '\\', '<', '{', '$', '&', '+', '~', '|', '^', "'", '*', '(', ';', 'x'.repeat(120)],
  ...['sha256:', 'SHA256:', hex, `@sha256:${hex}`, `sha512:${hex}${hex}`, `sha999:${hex}`],
];
const known = z
  .object({ vectors: z.array(z.object({ input: z.string() })) })
  .parse(
    JSON.parse(
      readFileSync(new URL('../../../src/oci/testdata/references.json', import.meta.url), 'utf8'),
    ),
  )
  .vectors.map(({ input }) => input);

const built = fc.string({ unit: fc.constantFrom(...pieces), minLength: 1, maxLength: 8 });
const damaged = fc
  .tuple(fc.constantFrom(...known), fc.nat(), fc.constantFrom('', ...pieces), fc.nat(2))
  .map(([text, place, piece, cut]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + piece + text.slice(at + cut);
  });

/** Go 1.26 refuses colons in hosts that Go 1.23, with which the vectors were made, takes. */
const env = { GODEBUG: 'urlstrictcolons=0' };

async function askGo(inputs: readonly string[]): Promise<ReadonlyArray<Record<string, string>>> {
  const lines = inputs.map((input) => JSON.stringify(input));
  const answers = await askProgram(await toolPath('references', 'oracle'), lines, { env });
  return answers.map((line) => Answer.parse(JSON.parse(line)));
}

function askOurs(input: string): Record<string, string> {
  return {
    input,
    docker: answerOf(() => {
      const reference = parseReference(input);
      return `${reference.domain} ${formatReference(reference)}`;
    }),
    familiar: answerOf(() => familiarName(parseReference(input))),
    pull: answerOf(() => formatReference(pullReference(parseReference(input)))),
    plain: answerOf(() => formatReference(parseWithoutDefaults(input))),
    any: answerOf(() => parseAnyReference(input)),
    podman: answerOf(() => formatReference(parsePodmanReference(input))),
    ctr: answerOf(() => Object.values(parseCtrReference(input)).join(' ')),
  };
}

function answerOf(parse: () => string): string {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ReferenceInvalid)) throw error;
    return `refused: ${error.data.reason}`;
  }
}

test(`${count} texts (seed ${seed}) are read alike by Docker, podman, ctr and Slipway`, async () => {
  const inputs = fc.sample(fc.oneof(built, damaged), { numRuns: count, seed });

  const differences = (await askGo(inputs)).flatMap((go) => {
    const ours = askOurs(go['input'] ?? '');
    // Newer Go also looks at what stands in brackets; the vectors' Go did not.
    if (/invalid (?:IP-literal|host)/.test(go['ctr'] ?? '')) ours['ctr'] = go['ctr'] ?? '';
    return Object.keys(ours)
      .filter((parser) => ours[parser] !== go[parser])
      .map((parser) => ({ input: go['input'], parser, go: go[parser], ours: ours[parser] }));
  });

  assert.deepEqual(differences.slice(0, 20), []);
});
