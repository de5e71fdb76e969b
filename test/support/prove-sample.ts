/** The proof of the sample Lock on a node in memory, against real registries. */
import type { TestContext } from 'node:test';
import type { ProofCommands } from '../../src/proof/advice.ts';
import type { SiteFacts } from '../../src/proof/allowed-hosts.ts';
import { readRuntimeService } from '../../src/proof/node/runtime-service.ts';
import type { ProofPorts, ProofRequest } from '../../src/proof/proof-request.ts';
import { proveLock } from '../../src/proof/prove-lock.ts';
import type { Failure, ProofReport, Verdict } from '../../src/proof/report.ts';
import type { ClientSettings } from '../../src/registry/client/settings.ts';
import { systemClock } from '../../src/shared/ports.ts';
import { type ProgressEvent, withSignal } from '../../src/shared/run.ts';
import { fakeWorld } from './fake-world.ts';
import type { Fault } from './faults.ts';
import { fillRegistry } from './fill-registry.ts';
import { type MemoryNodeOptions, memoryNode, memoryNodeTree, onlyServer } from './memory-node.ts';
import { sampleLock } from './sample-lock.ts';
import { startRegistry, type TestRegistry } from './start-registry.ts';
import { testRun } from './test-run.ts';

const containerdService = { units: ['containerd.service'] };

/** Commands that a test recognises. */
export const sampleCommands: ProofCommands = {
  load: (name, { repair }) => `load ${name}${repair ? ' --repair' : ''}`,
  writeRules: 'write rules',
  pack: 'pack',
  proveRewritten: 'prove rewritten',
  plan: 'plan',
};

/** The images of the sample Lock. */
export const sampleImages = {
  app: 'cr.openfuyao.cn/openfuyao/app:v1',
  pause: 'registry.k8s.io/pause:3.9',
} as const;

/** How a proof differs from an offline one without logins. */
export type ProveOptions = Partial<ProofRequest> &
  Partial<ProofPorts> & {
    readonly configuration?: MemoryNodeOptions;
    readonly signal?: AbortSignal;
    readonly events?: ProgressEvent[];
  };

/** `await proveSample(t, { site: offlineSite(registry.host), configuration: { hosts } })`. */
export async function proveSample(t: TestContext, options: ProveOptions): Promise<ProofReport> {
  const { configuration, signal, events, client, rules, service, pullSecrets, ...request } =
    options;
  return proveLock(
    { lock: sampleLock().lock, node: 'worker-2', commands: sampleCommands, ...request },
    {
      rules: rules ?? (await memoryNode(configuration)),
      service:
        service ?? (await readRuntimeService(memoryNodeTree(configuration), containerdService)),
      client: client ?? patientClient(),
      ...(pullSecrets && { pullSecrets }),
    },
    withSignal(testRun(t, events), signal ?? t.signal),
  );
}

/** Waits cost no time; the date is the real one, since certificates are made for it. */
function patientClient(): ClientSettings {
  const { clock, settings } = fakeWorld();
  return settings({ clock: { ...clock, now: systemClock.now } });
}

/** A site that allows only these hosts. */
export function offlineSite(...allowedHosts: readonly string[]): SiteFacts {
  return { mode: 'offline', allowedHosts, seenFrom: new Map() };
}

/** Rules that lead both registries of the sample to one server, and nowhere else. */
export function rulesTo(url: string, more = ''): Readonly<Record<string, string>> {
  const text = onlyServer(url, more);
  return { 'cr.openfuyao.cn': text, 'registry.k8s.io': text };
}

/** The verdict on an image for a platform; fails when there is none. */
export function verdictOn(report: ProofReport, image: string, platform = 'linux/amd64'): Verdict {
  const found = report.results.find((one) => one.image === image && one.platform === platform);
  if (found === undefined) throw new Error(`no verdict on ${image} for ${platform}`);
  return found.verdict;
}

/** A full registry with faults, or with something done to it before the proof. */
export async function spoiledRegistry(
  t: TestContext,
  spoil: {
    readonly faults?: readonly Fault[];
    readonly after?: (registry: TestRegistry) => Promise<unknown>;
  } = {},
): Promise<TestRegistry> {
  const registry = await startRegistry(t, { faults: spoil.faults ?? [] });
  await fillRegistry(registry, sampleLock());
  await spoil.after?.(registry);
  return registry;
}

/** The verdict as a failure; fails the test when it is proven. */
export function failureIn(verdict: Verdict): Failure {
  if (verdict.kind === 'proven') throw new Error('it is proven, but should not be');
  return verdict;
}

/** Proves against one registry that everything is led to; gives the failure of one image. */
export async function failureAt(
  t: TestContext,
  registry: { readonly url: string; readonly host: string },
  options: ProveOptions & { readonly image?: string; readonly platform?: string } = {},
): Promise<Failure> {
  const { image = sampleImages.pause, platform, ...request } = options;
  const report = await proveSample(t, {
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
    ...request,
  });
  return failureIn(verdictOn(report, image, platform));
}
