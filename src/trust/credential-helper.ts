import { z } from 'zod';
import { systemCode } from '../shared/errors.ts';
import { KnownSecrets } from '../shared/known-secrets.ts';
import type { Run } from '../shared/run.ts';
import { Secret } from '../shared/secret.ts';
import { CredentialHelperFailed, CredentialHelperMissing } from './errors.ts';
import { type HelperResult, runHelperProcess } from './helper-process.ts';
import type { Credential } from './ports.ts';
import { helperKey } from './registry-key.ts';

/** Asks the program that keeps a registry's login; undefined when it has none. */
export interface CredentialHelper {
  get(name: string, registry: string, run: Run): Promise<Credential | undefined>;
}

/** The environment that helpers need (PATH, HOME, DBUS_...), and how long one may take. */
export interface CredentialHelperOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
}

const Answer = z.looseObject({ Username: z.string(), Secret: z.string() });
/** What a helper says for a login it does not have; it exits with 1 then. */
const notFound = 'credentials not found';
const maxKibibytes = 64;
const shownCharacters = 200;

/**
 * Runs `docker-credential-NAME get` with the registry on its standard input, so that nothing is
 * seen in process lists. https://github.com/docker/docker-credential-helpers
 * CREDENTIAL_HELPER_MISSING; CREDENTIAL_HELPER_FAILED after `timeoutMs` (30 s), over 64 KiB of
 * output, on any other exit code and on an answer that is not the protocol's JSON. What it then
 * complained of is shown in one line, without what may be a secret.
 */
export function spawnedCredentialHelper(options: CredentialHelperOptions): CredentialHelper {
  return {
    async get(name, registry, run) {
      const helper = `docker-credential-${name}`;
      if (!/^[\w.-]+$/.test(name)) throw new CredentialHelperMissing({ helper, registry });
      const result = await runHelper(helper, registry, options, run);
      return readAnswer(result, { helper, registry, options });
    },
  };
}

/** Who was asked for what, and how. */
interface Asked {
  readonly helper: string;
  readonly registry: string;
  readonly options: CredentialHelperOptions;
}

async function runHelper(
  helper: string,
  registry: string,
  { environment, timeoutMs = 30_000 }: CredentialHelperOptions,
  run: Run,
): Promise<HelperResult> {
  const input = `${helperKey(registry)}\n`;
  const limits = { timeoutMs, maxBytes: maxKibibytes * 1024 };
  try {
    const call = { program: helper, args: ['get'], input, environment, ...limits };
    return await runHelperProcess(call, run.signal);
  } catch (cause) {
    run.signal.throwIfAborted();
    if (systemCode(cause) === 'ENOENT') {
      throw new CredentialHelperMissing({ helper, registry }, { cause });
    }
    const because = 'it cannot be run';
    throw new CredentialHelperFailed({ helper, registry, because }, { cause });
  }
}

function readAnswer(result: HelperResult, asked: Asked): Credential | undefined {
  const { helper, registry, options } = asked;
  if (result.end !== 0) {
    if (typeof result.end === 'number' && result.output.includes(notFound)) return undefined;
    const said = complaintOf(result, options);
    const because = `${endText(result.end, options)}${said === '' ? '' : `, "${said}"`}`;
    throw new CredentialHelperFailed({ helper, registry, because });
  }
  const answer = parseAnswer(result.output);
  if (answer === undefined) {
    const because = 'its answer is not the JSON of the protocol';
    throw new CredentialHelperFailed({ helper, registry, because });
  }
  if (answer.Username === '<token>') {
    return { kind: 'identity-token', token: new Secret(answer.Secret) };
  }
  return { kind: 'password', username: answer.Username, password: new Secret(answer.Secret) };
}

function endText(end: HelperResult['end'], { timeoutMs = 30_000 }: CredentialHelperOptions) {
  switch (end) {
    case 'killed':
      return 'it was killed';
    case 'too-long':
      return `it wrote more than ${maxKibibytes} KiB`;
    case 'timed-out':
      return `no answer in ${timeoutMs / 1000} s`;
    default:
      return `exit code ${end}`;
  }
}

const secretName = /pass|secret|token|key|auth|credential/i;
const namedSecret =
  /\b(pass(?:word|wd|phrase)?|secret|token|key)\b["']?(?:\s*[:=]\s*|\s+is\s+)\S+/gi;

/**
 * The first line of what a helper complained of. Many helpers complain on their output; what begins
 * like the answer of the protocol is not shown, since it holds the login.
 */
function complaintOf(result: HelperResult, { environment }: CredentialHelperOptions): string {
  const known = new KnownSecrets();
  for (const [name, value] of Object.entries(environment)) {
    if (secretName.test(name) && value !== undefined) known.add(new Secret(value));
  }
  for (const [, text = ''] of result.output.matchAll(/"Secret"\s*:\s*"((?:[^"\\]|\\.)*)/g)) {
    known.add(new Secret(text));
    known.add(new Secret(unescaped(text)));
  }
  const output = result.output.includes('{') ? '' : result.output;
  const text = known.redact(result.complaint.trim() || output.trim());
  const [line = ''] = text.replaceAll(namedSecret, '$1=[secret]').split('\n');
  const clean = line.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return clean.length > shownCharacters ? `${clean.slice(0, shownCharacters)}…` : clean;
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

/** No cause is kept: the parser's message quotes the text, which holds the password. */
function parseAnswer(output: string): z.infer<typeof Answer> | undefined {
  try {
    return Answer.safeParse(JSON.parse(output)).data;
  } catch {
    return undefined;
  }
}
