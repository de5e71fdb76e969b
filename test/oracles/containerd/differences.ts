/** Small cases for what the comparison has once found to be different; recorded into testdata by record.ts. */

import { contentsOf } from './generator/contents.ts';
import type { OracleCase } from './generator/oracle-case.ts';
import { natures } from './world/names.ts';
import type { World } from './world/world.ts';

/** A case with the claim that it stands for. */
export interface Difference {
  readonly claim: string;
  readonly one: OracleCase;
}

interface Sketch {
  readonly registry?: string;
  /** The text of its hosts.toml. */
  readonly hosts?: string;
  readonly world?: Partial<World>;
  readonly logins?: OracleCase['logins'];
}

function difference(claim: string, sketch: Sketch): Difference {
  const { registry = 'reg.example', hosts, world, logins = {} } = sketch;
  const contents = contentsOf('difference');
  const file = `/etc/containerd/certs.d/${registry}/hosts.toml`;
  const one: OracleCase = {
    main: 'local',
    logins,
    files: hosts === undefined ? {} : { [file]: hosts },
    registry,
    reference: `${registry}/app:1`,
    world: { natures, logins: {}, answers: [], contents, ...world },
    rows: [],
  };
  return { claim, one };
}

const registry = 'reg.example';
const wantsLogin = { logins: { [registry]: 'Basic dTpw' } };

export const differences: readonly Difference[] = [
  difference('a connection to the last endpoint that ends early is tried again', {
    registry: 'cut.example',
  }),
  difference('a mirror whose connection ends early is not tried again', {
    hosts: '[host."https://cut.example"]\n',
  }),
  difference('403 to HEAD is followed by GET', {
    world: { answers: [{ host: registry, on: 'any', status: 403 }] },
  }),
  difference('a login that is refused is sent until the attempts are used up', {
    world: wantsLogin,
    logins: { [registry]: ['u', 'wrong'] },
  }),
  difference('a login that is accepted is remembered', {
    world: wantsLogin,
    logins: { [registry]: ['u', 'p'] },
  }),
  difference('Basic without a login counts as no answer, and a push goes on', {
    world: wantsLogin,
  }),
  difference('a fetcher remembers which endpoint speaks plain HTTP', {
    hosts: '[host."http://plain.example:5000"]\nskip_verify = true\n',
  }),
  difference('a manifest that is gone is named with its URL', {
    world: { answers: [{ host: registry, on: 'manifest', status: 404 }] },
  }),
  difference('a failed fetch over HTTP after HTTPS is worded as each line does', {
    hosts: 'server = "http://plain.example:5000"\nskip_verify = true\n[host]\n',
    world: { answers: [{ host: 'plain.example:5000', on: 'blob', status: 410 }] },
  }),
  difference('the text of a failed fetch has the path as it is written, without escapes', {
    hosts: 'server = "https://a.example/ x"\n[host]\n',
    world: { answers: [{ host: 'a.example', on: 'manifest', status: 410 }] },
  }),
  difference('skip_verify as the second dotted key of a host', {
    hosts: 'host."https://a.example".ca = []\nhost."https://a.example".skip_verify = true\n',
  }),
];
