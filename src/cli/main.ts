import { reportFault, runProgram } from './program.ts';

process.on('uncaughtException', (error) => {
  // First, so that a fault of the report itself cannot end as success.
  process.exitCode = 70;
  void reportFault(process, error).finally(() => process.exit(70));
});

/** The answer may not have arrived: a full disk behind `>` must not look like success. */
let isLost = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  isLost ||= error.code !== 'EPIPE';
});
process.on('exit', () => {
  if (isLost && process.exitCode === 0) process.exitCode = 74;
});
process.exitCode = await runProgram(process);
