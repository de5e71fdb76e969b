/** Small nodes for each rule of CRI-O's files; record.ts writes what CRI-O says about them. */

import type { CrioFiles } from './our-answer.ts';

const MAIN = '/etc/crio/crio.conf';
const folder = '/etc/crio/crio.conf.d';
const image = (...lines: readonly string[]) => `[crio.image]\n${lines.join('\n')}\n`;

/** What each is about → its files. */
export const differences: Readonly<Record<string, CrioFiles>> = {
  'no file': {},
  'both settings in the main file': {
    [MAIN]: image('global_auth_file = "/a.json"', 'pause_image = "x.example/pause:1"'),
  },
  'keys and tables in another letter case': { [MAIN]: '[CRIO.Image]\nPAUSE_IMAGE = "p"\n' },
  'a drop-in wins over the main file': {
    [MAIN]: image('pause_image = "a"'),
    [`${folder}/10-a.conf`]: image('pause_image = "b"'),
  },
  'drop-ins in the order of their names': {
    [`${folder}/9-b`]: image('pause_image = "nine"'),
    [`${folder}/10-a.conf`]: image('pause_image = "ten"'),
  },
  'a drop-in in a folder of its own': { [`${folder}/50/x.conf`]: image('pause_image = "deep"') },
  'an empty text takes back': {
    [MAIN]: image('global_auth_file = "/a.json"'),
    [`${folder}/10-a.conf`]: image('global_auth_file = ""'),
  },
  'a value of a wrong type': { [MAIN]: image('pause_image = 1') },
  'a table that is a number': { [MAIN]: 'crio = 1\n' },
  'a main file that is no TOML': { [MAIN]: '[crio.image\n' },
  'a drop-in that is no TOML': { [`${folder}/10-a.conf`]: image('pause_image = "open') },
};
