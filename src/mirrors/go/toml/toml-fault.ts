/** Why one of Go's TOML libraries does not read a file, and where. */

import { placeAt } from '../../../documents/toml-cursor.ts';
import type { TomlScan } from '../../../documents/toml-scan.ts';

/** What is wrong and where; lines and columns count from 1. */
export interface TomlFault {
  /**
   * `encoding`: bytes that the library refuses; `brackets`: in a header, which go-toml 1 refuses;
   * `too-deep`: more tables inside each other than we follow, although the library may; else no TOML.
   */
  readonly kind: 'syntax' | 'encoding' | 'brackets' | 'too-deep';
  readonly reason: string;
  readonly line: number;
  readonly column?: number;
}

/** Ends the reading of a text at an offset; caught by the readers of this folder. */
export class RefusedToml extends Error {
  readonly offset: number;
  readonly kind: TomlFault['kind'];

  constructor(reason: string, offset: number, kind: TomlFault['kind'] = 'syntax') {
    super(reason);
    this.offset = offset;
    this.kind = kind;
  }
}

/** `RefusedToml` → its fault with line and column; any other error is thrown on. */
export function faultOf(error: unknown, text: string): TomlFault {
  if (!(error instanceof RefusedToml)) throw error;
  const { line, column } = placeAt(text, error.offset);
  return { kind: error.kind, reason: error.message, line, column };
}

/** The fault of a scan that stopped before the end. */
export function stopOf({ stop }: TomlScan): TomlFault | undefined {
  if (stop === undefined) return undefined;
  const { reason, line, column, isTooDeep } = stop;
  return { kind: isTooDeep ? 'too-deep' : 'syntax', reason, line, column };
}
