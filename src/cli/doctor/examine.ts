import { describeError } from '../../shared/errors.ts';
import { formatCount } from '../../shared/quantities.ts';
import type { Run } from '../../shared/run.ts';
import { alignColumns } from '../columns.ts';
import type { Look, Paint } from '../terminal.ts';
import type { Check, DoctorPlaces, Finding } from './check.ts';
import { diskChecks } from './disk-checks.ts';
import { loginChecks } from './login-checks.ts';
import { machineChecks } from './machine-checks.ts';
import { networkChecks } from './network-checks.ts';

/** A finding with the name of its check. */
export interface Examined extends Finding {
  readonly name: string;
}

const allChecks: readonly Check[] = [
  ...machineChecks,
  ...diskChecks,
  ...networkChecks,
  ...loginChecks,
];

/** Runs every check, one after the other so that measurements do not disturb each other. */
export async function examine(
  places: DoctorPlaces,
  run: Run,
  checks: readonly Check[] = allChecks,
): Promise<readonly Examined[]> {
  const findings: Examined[] = [];
  for (const check of checks) {
    run.signal.throwIfAborted();
    findings.push({ name: check.name, ...(await findOrFail(check, places)) });
  }
  return findings;
}

/** The findings for people: the answer, then a line for each check with what to do below it. */
export function formatFindings(findings: readonly Examined[], paint: Paint): string {
  const rows = alignColumns(findings.map(({ name, text }) => [name, text]));
  const lines = findings.flatMap(({ status, fix }, index) => {
    const { mark, look } = marks[status];
    const line = `  ${paint(look, mark)} ${rows[index]}`;
    return fix === undefined ? [line] : [line, `        do  ${fix}`];
  });
  return [answer(findings), '', ...lines].join('\n');
}

const marks: Readonly<Record<Finding['status'], { mark: string; look: Look }>> = {
  ok: { mark: '✔', look: 'green' },
  warn: { mark: '!', look: 'yellow' },
  fail: { mark: '✘', look: 'red' },
};

function answer(findings: readonly Examined[]): string {
  const count = (status: Finding['status']) =>
    findings.filter((finding) => finding.status === status).length;
  const failed = count('fail');
  if (failed > 0) {
    return `this machine is not ready for Slipway: ${failed} of ${formatCount(findings.length, 'check')} failed`;
  }
  const warned = count('warn');
  const rest = warned > 0 ? `; ${formatCount(warned, 'thing')} to know` : '';
  return `this machine can do what Slipway needs${rest}`;
}

async function findOrFail(check: Check, places: DoctorPlaces): Promise<Finding> {
  try {
    return await check.find(places);
  } catch (error) {
    const text = `the check itself failed: ${describeError(error)}`;
    return { status: 'warn', text, fix: 'Report this, with what "slipway doctor --json" prints.' };
  }
}
