import { type CommandEntry, defineCommand } from '../../src/cli/command.ts';
import { runProgram } from '../../src/cli/program.ts';

/** A real process around the real frame, with one command that works until it is told to stop. */
const hang = defineCommand({
  arguments: {},
  options: {},
  examples: [],
  async run({ run, terminal }) {
    await run.step('first', async () => {});
    terminal.print('working');
    const tick = setInterval(() => terminal.print('still working'), 5);
    const { promise, reject } = Promise.withResolvers<never>();
    run.signal.addEventListener('abort', () => reject(run.signal.reason));
    try {
      return await promise;
    } finally {
      clearInterval(tick);
    }
  },
});
const table: readonly CommandEntry[] = [
  { name: 'hang', summary: 'works forever', load: async () => hang },
];
process.exitCode = await runProgram(process, table);
