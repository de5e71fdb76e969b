/** `npm run vectors -- FILE.json [--only PREFIX]`: measures Slipway against a file of vectors. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checksOf, type VectorCheck } from './checks.ts';

const usage = 'usage: npm run vectors -- FILE.json [FILE.json ...] [--only PREFIX]';

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string', default: '' } },
  });
  if (positionals.length === 0) {
    console.error(usage);
    return 64;
  }
  const wanted = positionals
    .flatMap((file) => checksOf(readFileSync(file, 'utf8'), file))
    .filter((check) => isWanted(check, values.only));
  let failed = 0;
  for (const check of wanted) if (!(await passes(check))) failed += 1;
  console.log(`${wanted.length - failed} passed, ${failed} failed`);
  // Nothing measured is no success: a misspelt prefix must not look like one.
  return failed > 0 || wanted.length === 0 ? 1 : 0;
}

/** What concerns a whole file is never filtered away. */
function isWanted(check: VectorCheck, prefix: string): boolean {
  if (check.wholeFile === true || check.id.startsWith(prefix)) return true;
  return check.runtime?.startsWith(prefix) ?? false;
}

async function passes(check: VectorCheck): Promise<boolean> {
  const problems = await problemsOf(check);
  if (problems.length > 0) console.log([check.id, ...problems].join('\n    '));
  return problems.length === 0;
}

async function problemsOf(check: VectorCheck): Promise<string[]> {
  try {
    return await check.run();
  } catch (error) {
    return [`threw ${error instanceof Error ? error.stack : String(error)}`];
  }
}

process.exitCode = await main();
