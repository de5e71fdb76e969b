import type { Operation } from '../operations.ts';
import type { Failure } from '../report.ts';
import type { RequiredPlatform } from '../required-images.ts';
import type { Step, Walked } from '../walk-operation.ts';
import type { Reply, Stopped } from '../wire/exchange.ts';
import { throughProxy } from './check-proxies.ts';
import { judgeServed } from './judge-served.ts';
import { failureOfTrail } from './judge-trail.ts';

/** What a verdict is about: an image for one platform, behind an index or not. */
export interface Subject {
  readonly platform: RequiredPlatform;
  readonly isIndex: boolean;
}

/**
 * What the end of an operation means; undefined when all is as the Lock says. The verdict's `do` is
 * still empty: advice.ts fills it in.
 */
export function judge(operation: Operation, walked: Walked, subject: Subject): Failure | undefined {
  switch (walked.kind) {
    case 'served':
      return judgeServed(operation, walked.by.endpoint.host, walked.reply);
    case 'stopped':
      return stopFailure(walked.reply, operation, walked.trail.at(-1));
    case 'failed':
      return explainMissing(operation, failureOfTrail(walked.trail, walked.error), subject);
  }
}

/** `linux/arm64` → `arm64`. */
export function architectureOf(platform: string): string {
  return platform.slice(platform.indexOf('/') + 1);
}

function stopFailure(reply: Reply & Stopped, { what }: Operation, last: Step | undefined): Failure {
  const common = { asked: [reply.asked], because: [], do: [] };
  if (reply.why === 'too-slow') return { kind: 'too-slow', summary: reply.reason, ...common };
  const { host, proxyOf } = reply;
  if (proxyOf !== undefined)
    return throughProxy(proxyOf, host, { asked: [reply.asked], because: [] });
  if (last?.request.isFromDescriptor === true && last.request.endpoint.host === host) {
    const summary = `its ${what} names ${last.request.url}, which the node asks before any mirror, outside the site`;
    const step = `build the image again without "urls" in its descriptors, or add ${host} to "allow" in the Site`;
    return { kind: 'falls-open', summary, host, ...common, do: [step] };
  }
  const summary = `the registry sends the node on to ${host}, outside the site`;
  return { kind: 'falls-open', summary, host, ...common };
}

/** "Not found" says more when something of the image is there. */
function explainMissing(operation: Operation, failure: Failure, subject: Subject): Failure {
  if (failure.kind !== 'not-found') return failure;
  if (operation.kind === 'resolve') {
    if (operation.reference.tag !== undefined || operation.what === 'manifest') return failure;
    return { ...failure, summary: 'its digest is not there' };
  }
  if (operation.what !== 'manifest' || !subject.isIndex) return failure;
  const { digest, size } = operation.blob;
  const architecture = architectureOf(subject.platform.platform);
  const summary = `the index is there, its ${architecture} manifest is not`;
  const missing = [{ what: operation.what, digest, size }];
  return { ...failure, kind: 'incomplete', summary, missing };
}
