/** T006: mirrors under a key that no image is looked up by. */

import type { Mend, Noticed } from '../../finding.ts';
import { rightName, whyNeverFound } from '../../names/registry-key.ts';
import type { MachineConfig } from '../read/machine-config.ts';
import type { Mirror } from '../read/registries.ts';
import { startOfValue } from './start-of-value.ts';

/** One for each such key, with the right one as advice. */
export function keyFindings(machine: MachineConfig): readonly Noticed[] {
  return [...machine.registries.mirrors.values()].flatMap((mirror): Noticed[] => {
    const { name, origin } = mirror;
    const right = rightName(name);
    if (right === undefined) return [];
    const message = `no image is looked up under ${name}: ${whyNeverFound(name)}`;
    const mend = keyMend(mirror, right, machine);
    const fix = machine.registries.mirrors.has(right)
      ? `Move what is new here to the mirror ${right}, and remove this one.`
      : `Write ${right}.`;
    return [{ rule: 'T006', registry: right, origin, message, fix, ...(mend && { mend }) }];
  });
}

/** Only where nothing else has that name, and no path says that it was meant for a part of the registry. */
function keyMend(
  { name, origin }: Mirror,
  right: string,
  machine: MachineConfig,
): Mend | undefined {
  const { mirrors } = machine.registries;
  const isWhole = /^(?:[a-z]+:\/\/)?[^/]+\/?$/i.test(name);
  const rivals = [...mirrors.keys()].filter((key) => (rightName(key) ?? key) === right);
  const start = startOfValue(name, origin, machine);
  if (!isWhole || rivals.length > 1 || start === undefined || origin.builtIn) return undefined;
  const edit = { start, end: start + name.length, text: right };
  return { kind: 'edit', path: origin.file, edits: [edit] };
}
