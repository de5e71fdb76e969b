import type { LoginFilePlaces } from '../trust/credential-sources.ts';

/** What Slipway takes from its surroundings, read once; nothing below `cli` looks there itself. */
export interface Environment {
  readonly cwd: string;
  readonly home: string | undefined;
  readonly tempFolder: string;
  /** Proxies for outgoing HTTP, as given; values may hold a password, so never print them whole. */
  readonly proxies: {
    readonly http: string | undefined;
    readonly https: string | undefined;
    readonly except: string | undefined;
  };
  readonly loginFiles: LoginFilePlaces;
  /** Passed on to programs that we start, such as credential helpers. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly isCi: boolean;
  readonly colour: 'never' | 'always' | 'on-terminals';
}

/** The parts of `process` that are read here. */
export interface ProcessFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
}

/**
 * Reads the environment: HTTP_PROXY, HTTPS_PROXY, NO_PROXY (small letters win, as in curl),
 * DOCKER_CONFIG, REGISTRY_AUTH_FILE, XDG_*, HOME, TMPDIR, CI, NO_COLOR, FORCE_COLOR.
 */
export function readEnvironment(facts: ProcessFacts): Environment {
  const { env } = facts;
  const home = given(env['HOME']) ?? given(env['USERPROFILE']);
  const all = given(env['all_proxy']) ?? given(env['ALL_PROXY']);
  return {
    cwd: facts.cwd(),
    home,
    tempFolder: given(env['TMPDIR']) ?? given(env['TEMP']) ?? '/tmp',
    proxies: {
      // HTTP_PROXY in capitals can be set by a request's header in CGI programs; we are none.
      http: given(env['http_proxy']) ?? given(env['HTTP_PROXY']) ?? all,
      https: given(env['https_proxy']) ?? given(env['HTTPS_PROXY']) ?? all,
      except: given(env['no_proxy']) ?? given(env['NO_PROXY']),
    },
    loginFiles: {
      home,
      registryAuthFile: given(env['REGISTRY_AUTH_FILE']),
      dockerConfig: given(env['DOCKER_CONFIG']),
      xdgRuntimeDir: given(env['XDG_RUNTIME_DIR']),
      xdgConfigHome: given(env['XDG_CONFIG_HOME']),
    },
    variables: env,
    isCi: given(env['CI']) !== undefined && env['CI'] !== 'false',
    colour: colourOf(env),
  };
}

/** https://no-color.org: any value that is not empty counts. TERM=dumb has no colours either. */
function colourOf(env: ProcessFacts['env']): Environment['colour'] {
  if (given(env['NO_COLOR']) !== undefined) return 'never';
  if (given(env['FORCE_COLOR']) !== undefined && env['FORCE_COLOR'] !== '0') return 'always';
  return env['TERM'] === 'dumb' ? 'never' : 'on-terminals';
}

function given(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
