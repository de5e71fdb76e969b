import { defineCommand } from '../command.ts';

export const completionCommand = defineCommand({
  description: 'The first lines of the script say where to put it.',
  arguments: {
    shell: {
      kind: 'choice',
      choices: ['bash', 'zsh', 'fish'],
      required: true,
      summary: 'the shell that you use',
    },
  },
  options: {},
  isInstant: true,
  examples: [
    { run: 'source <(slipway completion bash)', does: 'Try it in this bash' },
    {
      run: 'slipway completion fish > ~/.config/fish/completions/slipway.fish',
      does: 'Install it for fish',
    },
  ],
  async run({ commands }, input) {
    const { shell } = input.arguments;
    const { completionPlaces } = await import('../completion/words.ts');
    const script = (await writers[shell]())(await completionPlaces(commands));
    return { json: { shell, script }, text: script };
  },
});

const writers = {
  bash: async () => (await import('../completion/bash.ts')).bashCompletion,
  zsh: async () => (await import('../completion/zsh.ts')).zshCompletion,
  fish: async () => (await import('../completion/fish.ts')).fishCompletion,
} as const;
