import { reportFault, runProgram } from './program.ts';

process.on('uncaughtException', (error) => {
  // First, so that a fault of the report itself cannot end as success.
  process.exitCode = 70;
  void reportFault(process, error).finally(() => process.exit(70));
});
process.exitCode = await runProgram(process);
