/** How every registry of one case answers: the same data for the Go program, the recorder and us. */

/**
 * What happens to a connection, by host name without port.
 *
 * - `system`: its certificate is believed by everybody · `site`: by who trusts the site's authority
 * - `foreign`: by nobody who checks · `plain`: speaks HTTP where HTTPS is expected
 * - `refused`: nobody listens · `cut`: the connection ends before an answer
 */
export type Nature = 'system' | 'site' | 'foreign' | 'plain' | 'refused' | 'cut';

/** What a request is about: a manifest by tag, one by digest, a blob, or something else. */
export type Subject = 'tag' | 'manifest' | 'blob' | 'other';

/** An answer that is not the usual one. */
export interface AnswerRule {
  /** host[:port] of the request. */
  readonly host: string;
  readonly on: Subject | 'any';
  readonly method?: 'HEAD' | 'GET';
  readonly status: number;
  /** Scheme and host of a redirect to the same path; a 3xx without it cannot be followed. */
  readonly location?: string;
  /** For so many requests only. */
  readonly times?: number;
}

/** One piece of the image. */
export interface Content {
  readonly what: 'manifest' | 'config' | 'layer';
  readonly digest: string;
  readonly mediaType: string;
  readonly base64: string;
}

export interface World {
  readonly natures: Readonly<Record<string, Nature>>;
  /** host[:port] → the Authorization it wants; anything else gets 401 with a challenge for Basic. */
  readonly logins: Readonly<Record<string, string>>;
  readonly answers: readonly AnswerRule[];
  /** The manifest first: its tag is any tag. */
  readonly contents: readonly Content[];
}

/** What a registry sees of a request. */
export interface SeenRequest {
  readonly method: string;
  /** host[:port] as the client wrote it: `a.example:443` is not `a.example`. */
  readonly host: string;
  /** Without the query. */
  readonly path: string;
  readonly authorization?: string | undefined;
}

/** What it says. */
export interface Reply {
  readonly status: number;
  readonly content?: Content;
  readonly location?: string;
  readonly asksForLogin?: true;
}

/** The subject of a path: `/v2/a/manifests/1` → a tag. */
export function subjectOf(path: string): { readonly subject: Subject; readonly name: string } {
  const [, kind, name = ''] = /\/(manifests|blobs)\/([^/]+)$/.exec(path) ?? [];
  if (kind === undefined) return { subject: 'other', name };
  if (kind === 'blobs') return { subject: 'blob', name };
  return { subject: name.includes(':') ? 'manifest' : 'tag', name };
}

/** All registries of one case; remembers how often each rule was used. */
export class WorldServer {
  readonly #world: World;
  readonly #used = new Map<AnswerRule, number>();

  constructor(world: World) {
    this.#world = world;
  }

  natureOf(host: string): Nature {
    const name = host.replace(/:\d*$/, '').replace(/^\[|\]$/g, '');
    return this.#world.natures[name.toLowerCase()] ?? 'system';
  }

  reply({ method, host, path, authorization }: SeenRequest): Reply {
    const wanted = this.#world.logins[host];
    if (wanted !== undefined && wanted !== authorization) {
      return { status: 401, asksForLogin: true };
    }
    const { subject, name } = subjectOf(decodeURIComponent(path));
    const rule = this.#world.answers.find((candidate) => {
      const { on, method: only = method, times = Number.POSITIVE_INFINITY } = candidate;
      const fits = candidate.host === host && (on === 'any' || on === subject) && only === method;
      return fits && (this.#used.get(candidate) ?? 0) < times;
    });
    if (rule !== undefined) {
      this.#used.set(rule, (this.#used.get(rule) ?? 0) + 1);
      const { status, location } = rule;
      return { status, ...(location && { location: `${location}${path}` }) };
    }
    const content = this.#world.contents.find(
      ({ digest, what }) => digest === name || (subject === 'tag' && what === 'manifest'),
    );
    return content === undefined ? { status: 404 } : { status: 200, content };
  }
}
