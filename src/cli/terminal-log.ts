import type { Log } from '../shared/ports.ts';
import { cleanLine } from './clean-text.ts';
import type { Terminal } from './terminal.ts';

/** Warnings as messages for people; everything else only under `--debug`. */
export function terminalLog(terminal: Terminal, debug: boolean): Log {
  const write = (
    level: string,
    message: string,
    fields: Readonly<Record<string, unknown>> = {},
  ) => {
    const facts = Object.entries(fields).map(([name, value]) => ` ${name}=${factText(value)}`);
    terminal.say(terminal.paintMessage('dim', cleanLine(`${level}  ${message}${facts.join('')}`)));
  };
  return {
    debug: (message, fields) => (debug ? write('debug', message, fields) : undefined),
    info: (message, fields) => (debug ? write('info', message, fields) : undefined),
    warn: (message, fields) => write('warning', message, fields),
  };
}

function factText(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.message);
  return JSON.stringify(value) ?? String(value);
}
