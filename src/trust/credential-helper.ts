import { spawn } from 'node:child_process';
import { z } from 'zod';
import { systemCode } from '../shared/errors.ts';
import type { Run } from '../shared/run.ts';
import { redact, Secret } from '../shared/secret.ts';
import { CredentialHelperFailed, CredentialHelperMissing } from './errors.ts';
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

interface HelperResult {
  readonly exitCode: number | null;
  readonly output: string;
  readonly complaint: string;
}

const Answer = z.looseObject({ Username: z.string(), Secret: z.string() });
/** What a helper says for a login it does not have; it exits with 1 then. */
const notFound = 'credentials not found';
const maxOutputBytes = 64 * 1024;

/**
 * Runs `docker-credential-NAME get` with the registry on its standard input, so that nothing is
 * seen in process lists. https://github.com/docker/docker-credential-helpers
 * CREDENTIAL_HELPER_MISSING; CREDENTIAL_HELPER_FAILED after `timeoutMs` (30 s), over 64 KiB of
 * output, on any other exit code and on an answer that is not the protocol's JSON.
 */
export function spawnedCredentialHelper(options: CredentialHelperOptions): CredentialHelper {
  return {
    async get(name, registry, run) {
      const helper = `docker-credential-${name}`;
      if (!/^[\w.-]+$/.test(name)) throw new CredentialHelperMissing({ helper, registry });
      const result = await runHelper(helper, registry, options, run);
      return readAnswer(result, helper, registry);
    },
  };
}

async function runHelper(
  helper: string,
  registry: string,
  options: CredentialHelperOptions,
  run: Run,
): Promise<HelperResult> {
  const { timeoutMs = 30_000, environment } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const signal = AbortSignal.any([run.signal, timeout]);
    return await talk(helper, helperKey(registry), environment, signal);
  } catch (cause) {
    run.signal.throwIfAborted();
    if (systemCode(cause) === 'ENOENT') {
      throw new CredentialHelperMissing({ helper, registry }, { cause });
    }
    const because = timeout.aborted ? `no answer in ${timeoutMs / 1000} s` : 'it cannot be run';
    throw new CredentialHelperFailed({ helper, registry, because }, { cause });
  }
}

function talk(
  helper: string,
  input: string,
  environment: CredentialHelperOptions['environment'],
  signal: AbortSignal,
): Promise<HelperResult> {
  const { promise, resolve, reject } = Promise.withResolvers<HelperResult>();
  const child = spawn(helper, ['get'], {
    env: environment,
    signal,
    killSignal: 'SIGKILL',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = collect(child.stdout, () => child.kill('SIGKILL'));
  const complaint = collect(child.stderr, () => child.kill('SIGKILL'));
  child.once('error', reject);
  child.once('close', (exitCode) => {
    resolve({ exitCode, output: output.text(), complaint: complaint.text() });
  });
  // A helper that ends without reading its input is judged by its answer.
  child.stdin.on('error', () => {});
  child.stdin.end(`${input}\n`);
  return promise;
}

function collect(stream: NodeJS.ReadableStream, tooMuch: () => void) {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  stream.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes <= maxOutputBytes) chunks.push(chunk);
    else tooMuch();
  });
  return { text: () => Buffer.concat(chunks).toString('utf8') };
}

function readAnswer(
  result: HelperResult,
  helper: string,
  registry: string,
): Credential | undefined {
  if (result.exitCode !== 0) {
    if (result.output.includes(notFound)) return undefined;
    const said = (result.complaint.trim() || result.output.trim()).split('\n')[0] ?? '';
    const ended = result.exitCode === null ? 'it was killed' : `exit code ${result.exitCode}`;
    const because = said === '' ? ended : `${ended}, "${redact(said.slice(0, 200))}"`;
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

/** No cause is kept: the parser's message quotes the text, which holds the password. */
function parseAnswer(output: string): z.infer<typeof Answer> | undefined {
  try {
    return Answer.safeParse(JSON.parse(output)).data;
  } catch {
    return undefined;
  }
}
