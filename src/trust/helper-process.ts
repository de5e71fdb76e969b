import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

/** How a program is run, and where its patience ends. */
export interface HelperCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** Of its output and of its complaints, each. */
  readonly maxBytes: number;
}

/** How a program ended, with what it had written until then. */
export interface HelperResult {
  readonly end: number | 'killed' | 'too-long' | 'timed-out';
  readonly output: string;
  readonly complaint: string;
}

/** What a program wrote is in the pipe when it ends; only a child of it can hold the pipe longer. */
const lastWordsMs = 500;

/**
 * Runs a small program to its end, in a process group of its own: whatever it started and left
 * behind ends with it, so that nothing keeps us waiting. Rejects with the reason of `signal`, or
 * with the system's error when it cannot be started.
 */
export async function runHelperProcess(
  call: HelperCall,
  signal: AbortSignal,
): Promise<HelperResult> {
  signal.throwIfAborted();
  const { program, args, environment: env } = call;
  const child = spawn(program, [...args], { env, detached: true, stdio: 'pipe' });
  const tooLong = Promise.withResolvers<'too-long'>();
  const output = collect(child.stdout, call.maxBytes, () => tooLong.resolve('too-long'));
  const complaint = collect(child.stderr, call.maxBytes, () => tooLong.resolve('too-long'));
  // A helper that ends without reading its input is judged by its answer.
  child.stdin.on('error', () => {});
  child.stdin.end(call.input);
  const alarm = watch(signal, call.timeoutMs);
  try {
    const end = await Promise.race([ended(child), tooLong.promise, alarm.rung]);
    return { end, output: output.text(), complaint: complaint.text() };
  } finally {
    alarm.stop();
    letGo(child);
  }
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<number | 'killed'> {
  const closed = once(child, 'close');
  // Both reject when the program cannot be started; one of them is looked at.
  closed.catch(() => {});
  // Node emits the exit code, or null after a signal.
  const [code] = (await once(child, 'exit')) as [number | null];
  const { promise: waited, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, lastWordsMs);
  await Promise.race([closed, waited]);
  clearTimeout(timer);
  return code ?? 'killed';
}

/** Rejects with the reason of `signal`, or resolves when the time is up. */
function watch(signal: AbortSignal, timeoutMs: number) {
  const { promise: rung, resolve, reject } = Promise.withResolvers<'timed-out'>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => resolve('timed-out'), timeoutMs);
  const stop = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  };
  return { rung, stop };
}

function letGo(child: ChildProcessWithoutNullStreams): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All of the group have ended already.
  }
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  child.on('error', () => {});
  child.unref();
}

function collect(stream: NodeJS.ReadableStream, maxBytes: number, tooMuch: () => void) {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  stream.on('error', () => {});
  stream.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes <= maxBytes) chunks.push(chunk);
    else tooMuch();
  });
  return { text: () => Buffer.concat(chunks).toString('utf8') };
}
