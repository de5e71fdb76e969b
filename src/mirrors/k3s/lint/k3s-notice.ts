import type { YamlPlace } from '../../../documents/yaml-nodes.ts';
import type { Mend, Noticed, Origin } from '../../finding.ts';
import type { K3sBehaviour } from '../behaviour.ts';
import type { K3sRunning } from '../node/k3s-state.ts';

/** What a check noticed; with a `registry`, or a `host`, where it is about the rules of one only. */
export interface K3sNotice extends Noticed {
  /** A key of `configs`: an endpoint, whose registries may be many. */
  readonly host?: string;
}

/** What the checks look at. */
export interface Judged {
  readonly running: K3sRunning;
  readonly behaviour: K3sBehaviour;
  /** True when no name may leave the site. */
  readonly isOffline: boolean;
}

/** The line and column of a place in registries.yaml. */
export function originAt(
  { running }: Pick<Judged, 'running'>,
  { line, column }: YamlPlace,
): Origin {
  return { file: running.settings.registriesPath, line, column };
}

/** A change of registries.yaml in one place. */
export function editAt(
  { running }: Pick<Judged, 'running'>,
  { start, end }: Pick<YamlPlace, 'start' | 'end'>,
  text: string,
): Mend {
  const path = running.settings.registriesPath;
  return { kind: 'edit', path, edits: [{ start, end, text }] };
}
