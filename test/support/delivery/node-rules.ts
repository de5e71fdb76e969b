import { ProofReport } from '../../../src/proof/report.ts';
import { containerdVersion } from '../tools/tool-sets.ts';
import { slipway } from './slipway.ts';

/** What the commands about one node's configuration have in common. */
export interface NodeFiles {
  readonly lockFile: string;
  readonly siteFile: string;
  /** The folder that holds the node's root. */
  readonly root: string;
}

/** The runtime of the scenarios, as the product writes it: `containerd@2.1.9`. */
export const runtime = `containerd@${containerdVersion.slice(1)}`;

/** `slipway mirrors write` for one node, with further options. */
export async function writeMirrors(
  { lockFile, siteFile, root }: NodeFiles,
  ...options: readonly string[]
): Promise<void> {
  const node = nodeOptions({ siteFile, root });
  await slipway(['mirrors', 'write', '--lock', lockFile, ...node, ...options]);
}

/** `slipway prove`, which may say no. */
export async function prove({ lockFile, siteFile, root }: NodeFiles): Promise<ProofReport> {
  const proof = await slipway(['prove', lockFile, ...nodeOptions({ siteFile, root }), '--json'], {
    okCodes: [0, 1],
  });
  const report = ProofReport.parse(JSON.parse(proof.stdout));
  const isAll = report.totals.proven === report.totals.images;
  if ((proof.code === 0) !== isAll) throw new Error(`exit ${proof.code}, but ${proof.stdout}`);
  return report;
}

function nodeOptions({ siteFile, root }: Omit<NodeFiles, 'lockFile'>): readonly string[] {
  return ['--site', siteFile, '--root', root, '--runtime', runtime];
}
