import { z } from 'zod';
import { readData } from '../../documents/read-data.ts';
import { readAsset } from '../../shared/assets.ts';
import {
  parseRuntimeId,
  type RuntimeId,
  type RuntimeName,
  runtimeNames,
} from '../../site/runtime-id.ts';

const FILE = 'data/mirrors/lines.yaml';

const LinesFile = z.strictObject({
  source: z.string(),
  checked: z.iso.date().describe('the day on which a person compared it with its source'),
  lines: z.partialRecord(z.enum(runtimeNames), z.array(z.string()).min(1)),
});

/**
 * The lines of a runtime whose version nobody said, oldest first: `containerd` → `containerd@1.6.39`
 * to `containerd@2.3.4`. Empty where no line is known to behave unlike the others.
 */
export async function linesOf(name: RuntimeName): Promise<readonly RuntimeId[]> {
  const { lines } = readData(await readAsset(FILE), FILE, LinesFile);
  return (lines[name] ?? []).map((version) => parseRuntimeId(`${name}@${version}`));
}
