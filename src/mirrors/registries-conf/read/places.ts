import { nearestTomlPlace } from '../../../documents/toml-places.ts';
import type { TomlStep } from '../../../documents/toml-scan.ts';
import type { FilePlace } from '../../finding.ts';
import type { Decoded, DecodedTable } from './decoded-table.ts';
import { RegistriesFault, type RegistriesFaultKind } from './registries-types.ts';

/** Where things stand in one file, and who hears of what is wrong there. */
export class Places {
  readonly #decoded: Decoded;
  readonly #file: string;
  readonly #report: (fault: RegistriesFault) => void;

  constructor(decoded: Decoded, file: string, report: (fault: RegistriesFault) => void) {
    this.#decoded = decoded;
    this.#file = file;
    this.#report = report;
  }

  at(steps: readonly TomlStep[]): FilePlace {
    const place = nearestTomlPlace(this.#decoded.scan, steps);
    if (place === undefined) return { file: this.#file };
    return { file: this.#file, line: place.line, column: place.column };
  }

  /** The place of a key of a table, or of the table where the key is not there. */
  of({ steps, spelled }: DecodedTable, name: string): FilePlace {
    const key = spelled.get(name);
    return this.at(key === undefined ? steps : [...steps, key]);
  }

  /** Does not come back when the first fault ends the reading. */
  report(kind: RegistriesFaultKind, message: string, origin: FilePlace): void {
    this.#report(new RegistriesFault(kind, message, origin));
  }
}
