import type { Logins, MainKind } from '../main-configs.ts';
import type { World } from '../world/world.ts';

/** One generated configuration with one image and what its registries answer; the same for all lines. */
export interface OracleCase {
  readonly main: MainKind;
  /** Passwords of the main configuration, where it may have them. */
  readonly logins: Logins;
  /** Rules and what lies beside them, by absolute path; a slash at the end is an empty folder. */
  readonly files: Readonly<Record<string, string>>;
  readonly registry: string;
  readonly reference: string;
  readonly world: World;
  /** Rows of rows.yaml that the case is an example of by its making. */
  readonly rows: readonly string[];
}
