/** The one way from the bytes of a configuration file to its tables: as the library of this containerd. */

import { readGoToml1 } from '../go/toml/go-toml-1.ts';
import { type GoTomlReading, readGoToml2 } from '../go/toml/go-toml-2.ts';
import type { ContainerdBehaviour } from './behaviour.ts';

/**
 * Reads a hosts.toml or config.toml as this version does. Never throws for bad input.
 *
 * 2.x judges dates and numbers only where a value `isRead`: by its names on the way, items of lists
 * without their numbers. Checked with the libraries themselves in test/oracles/toml.
 */
export function decodeGoToml(
  bytes: Uint8Array,
  behaviour: ContainerdBehaviour,
  isRead: (path: readonly string[]) => boolean,
): GoTomlReading {
  if (!behaviour.has('go-toml-2')) return readGoToml1(bytes);
  const older = behaviour.has('leap-seconds') ? '2.2' : '2.3';
  return readGoToml2(bytes, { version: behaviour.has('toml-1.1') ? '2.4' : older, isRead });
}
