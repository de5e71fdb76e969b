/** Mistakes in the main configuration, beside a folder that is in order. */

import type { LintCase } from '../lint-case.ts';
import {
  type CaseOptions,
  type Files,
  good,
  MAIN,
  mainFor,
  NEW_TABLE,
  node,
  OLD_TABLE,
  ROOT,
} from './nodes.ts';

type ConfigSpec = readonly [
  rule: LintCase['rule'],
  what: string,
  texts: readonly [wrong: string, right: string],
  /** Behind the path of the file; empty for the file as a whole. */
  place: string,
  options?: CaseOptions,
];

const PATH = `config_path = "${ROOT}"`;
const list = `config_path = "${ROOT}:/etc/docker/certs.d"`;

const specs: readonly ConfigSpec[] = [
  ['C003', 'a misspelt setting', [mainFor('2.1.1', PATH, 'header = {}'), mainFor('2.1.1')], ':4:1'],
  [
    'C003',
    'config_path in the table above',
    [`version = 3\n[${NEW_TABLE}]\n${PATH}\n[${NEW_TABLE}.registry]\n${PATH}\n`, mainFor('2.1.1')],
    ':3:1',
  ],
  [
    'C003',
    'TLS settings that 2.x no longer has',
    [
      mainFor('2.1.1', PATH, 'configs."m.example".tls = { insecure_skip_verify = true }'),
      mainFor('2.1.1'),
    ],
    ':4',
  ],
  [
    'C018',
    'config_path is empty (section 11, row 9)',
    [mainFor('2.1.1', 'config_path = ""'), mainFor('2.1.1')],
    ':3',
  ],
  ['C018', 'no config_path at all (section 11, row 9)', ['version = 3\n', mainFor('2.1.1')], ''],
  [
    'C018',
    'the old table in a new file (section 11, row 9)',
    [`version = 3\n[${OLD_TABLE}.registry]\n${PATH}\n`, mainFor('2.1.1')],
    ':2',
  ],
  [
    'C018',
    'a list for the transfer service (section 11, row 9)',
    [mainFor('2.1.1', list), mainFor('2.1.1')],
    ':3',
  ],
  [
    'C018',
    'a folder that is not there',
    [mainFor('2.1.1', 'config_path = "/etc/containerd/cert.d"'), mainFor('2.1.1')],
    ':3',
  ],
  [
    'C019',
    'registry.mirrors beside config_path (section 11, row 11)',
    [
      mainFor('2.1.1', PATH, 'mirrors."main.example".endpoint = ["https://m.example"]'),
      mainFor('2.1.1'),
    ],
    ':4',
  ],
  [
    'C019',
    'TLS settings beside config_path in 1.7',
    [mainFor('1.7.34', PATH, 'configs."m.example".tls = { ca_file = "/x" }'), mainFor('1.7.34')],
    ':4',
    { version: '1.7.34' },
  ],
  [
    'C020',
    'a login for docker.io',
    [
      mainFor('2.1.1', PATH, 'configs."docker.io".auth = { username = "u", password = "p" }'),
      mainFor('2.1.1'),
    ],
    ':4',
  ],
  [
    'C015',
    'a mirror of a URL',
    [
      mainFor('1.7.34', 'mirrors."https://main.example".endpoint = ["https://m.example"]'),
      mainFor('1.7.34'),
    ],
    ':3',
    { version: '1.7.34' },
  ],
  [
    'C030',
    'an endpoint that is no URL',
    [mainFor('1.7.34', 'mirrors."main.example".endpoint = ["https://a:b:c"]'), mainFor('1.7.34')],
    ':3',
    { version: '1.7.34' },
  ],
  [
    'C031',
    'a snapshotter that nobody unpacks for',
    [`version = 3\n[${NEW_TABLE}]\nsnapshotter = "native"\n`, mainFor('2.1.1')],
    ':3',
  ],
  [
    'C032',
    'registry.mirrors',
    [
      mainFor('1.7.34', 'mirrors."main.example".endpoint = ["https://m.example"]'),
      mainFor('1.7.34'),
    ],
    ':3',
    { version: '1.7.34' },
  ],
  [
    'S001',
    'certificates that are not checked, in 1.7',
    [
      mainFor('1.7.34', 'configs."m.example".tls = { insecure_skip_verify = true }'),
      mainFor('1.7.34'),
    ],
    ':3',
    { version: '1.7.34' },
  ],
];

/** The cases. */
export const configCases: readonly LintCase[] = [
  {
    what: 'a drop-in with a misspelt setting',
    rule: 'C003',
    wrong: imported('confg_path'),
    right: imported('config_path'),
    at: '/etc/containerd/conf.d/a.toml:3:1',
  },
  ...specs.map(caseOf),
];

function caseOf([rule, what, [wrong, right], place, options = {}]: ConfigSpec): LintCase {
  const { files = {}, ...rest } = options;
  const withMain = (main: string): Files => ({
    ...node('main.example', good('main.example'), main),
    ...files,
  });
  return {
    what,
    rule,
    wrong: withMain(wrong),
    right: withMain(right),
    at: `${MAIN}${place}`,
    ...rest,
  };
}

function imported(key: string): Files {
  return {
    ...node(
      'main.example',
      good('main.example'),
      `imports = ["conf.d/*.toml"]\n${mainFor('2.1.1')}`,
    ),
    '/etc/containerd/conf.d/a.toml': `version = 3\n[${NEW_TABLE}.registry]\n${key} = "${ROOT}"\n`,
  };
}
