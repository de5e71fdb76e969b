import { hideLogin } from '../../mirrors/diff/hide-secrets.ts';
import type { CommandResult } from '../command.ts';

/** What a command about files of others prints, without the logins that these files hold in addresses. */
export function hideLoginsIn(result: CommandResult): CommandResult {
  return { ...result, text: hideLogin(result.text), json: withoutLogins(result.json) };
}

/** The same for every text in a value that becomes JSON. */
export function withoutLogins<T>(value: T): T {
  // JSON keeps the shape of what it is given; texts are texts before and after.
  return JSON.parse(JSON.stringify(value), (_, part: unknown) =>
    typeof part === 'string' ? hideLogin(part) : part,
  ) as T;
}
