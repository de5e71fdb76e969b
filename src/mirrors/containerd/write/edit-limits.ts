/** Which main configurations single places cannot be changed in, found out before anybody is told to. */

import { isUtf8 } from 'node:buffer';
import { MirrorConfigNotEditable } from '../../errors.ts';
import { formatOrigin } from '../../finding.ts';
import { applySettings, renderSettings, type TomlSetting } from './toml-settings.ts';

/** Refuses bytes that a change of the text would not keep. Throws MIRROR_CONFIG_NOT_EDITABLE. */
export function refuseBytes(
  file: string,
  bytes: Uint8Array,
  settings: readonly TomlSetting[],
): void {
  if (isUtf8(bytes)) return;
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const line = lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1'))) + 1;
  const reason = 'the line has a byte that is not UTF-8';
  throw notEditable({ file, line, reason, settings });
}

/** The text with the settings. Throws MIRROR_CONFIG_NOT_EDITABLE with the line that stands in the way. */
export function withSettings(file: string, text: string, settings: readonly TomlSetting[]): string {
  const edited = applySettings(text, settings);
  if (edited.ok) return edited.text;
  const { reason, line } = edited;
  throw notEditable({ file, line, reason, settings });
}

function notEditable(limit: {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
  readonly settings: readonly TomlSetting[];
}): Error {
  const { file, line, reason, settings } = limit;
  const place = formatOrigin({ file, line });
  return new MirrorConfigNotEditable({ place, reason, insert: renderSettings(settings) });
}
