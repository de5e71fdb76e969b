import { reportFault, runProgram } from './program.ts';

process.on('uncaughtException', (error) => {
  void reportFault(process, error).finally(() => process.exit());
});
process.exitCode = await runProgram(process);
