/** Tells what a file is from its name and, where the name says nothing, from its text; does no I/O. */

import type { RuntimeName } from '../../site/runtime-id.ts';

/** What a linted file is. `manifest` and `images` hold names of images, all others but `script` are a runtime's. */
export type FileKind =
  | 'hosts'
  | 'containerd-config'
  | 'k3s-registries'
  | 'k3s-config'
  | 'registries-conf'
  | 'docker-daemon'
  | 'talos-machine'
  | 'manifest'
  | 'images'
  | 'script';

/** A file that was recognised. */
export interface RecognisedFile {
  readonly kind: FileKind;
  /** `name`: it is called as its runtime wants it, or nearly; `text`: only what stands in it tells. */
  readonly by: 'name' | 'text';
}

/** The runtimes that read a kind of file; the first one is meant unless something else is said. */
export const runtimesOf: Readonly<Record<FileKind, readonly RuntimeName[]>> = {
  hosts: ['containerd', 'docker'],
  'containerd-config': ['containerd'],
  'k3s-registries': ['k3s', 'rke2'],
  'k3s-config': ['k3s', 'rke2'],
  'registries-conf': ['cri-o', 'podman'],
  'docker-daemon': ['docker'],
  'talos-machine': ['talos'],
  manifest: [],
  images: [],
  script: [],
};

/** Names as runtimes want them. */
const byName: ReadonlyArray<readonly [pattern: RegExp, kind: FileKind]> = [
  [/^hosts\.toml$/, 'hosts'],
  [/^registries\.conf$/, 'registries-conf'],
  [/^daemon\.json$/, 'docker-daemon'],
];

/** What a Kubernetes or Talos document begins with, whatever its file is called. */
const document = /^\s*["']?(?:apiVersion|kind)["']?\s*:/m;

/**
 * Names as people write them by mistake, and those that other programs use too: an inventory may be called
 * hosts.yaml, a Deployment registry.yaml. A text that sets anything must set what the name promises.
 */
const byNameAndText: ReadonlyArray<readonly [pattern: RegExp, text: RegExp, kind: FileKind]> = [
  [
    /^hosts?\.(?:toml|ya?ml|json|tml)$/i,
    /^\s*\[+\s*hosts?\b|^\s*["']?(?:server|capabilities|skip_verify|override_path)["']?\s*[=:]|https?:\/\//m,
    'hosts',
  ],
  [/^registries\.ya?ml$/i, /^/, 'k3s-registries'],
  [/^registry\.ya?ml$/i, /^\s*["']?(?:mirr\w*|conf\w*)["']?\s*:/m, 'k3s-registries'],
  [/^registry\.conf$/i, /^\s*\[\[?registr|^\s*unqualified/m, 'registries-conf'],
];

/** What only one kind of file says, the most telling first. */
const byText: ReadonlyArray<readonly [name: RegExp, text: RegExp, kind: FileKind]> = [
  [
    /\.toml$/i,
    /^\s*\[?plugins\s*[.=\]]|^\s*\[plugins\.|^\s*version\s*=\s*[1-9]\b|^\s*imports\s*=/m,
    'containerd-config',
  ],
  [/\.(?:toml|txt)$/i, /^\s*\[host\.|^\s*\[host\]\s*$|^\s*server\s*=\s*["']/m, 'hosts'],
  [
    /\.conf$/i,
    /^\s*\[\[?registr(?:y|ies)\b|^\s*unqualified-search-registries\s*=/m,
    'registries-conf',
  ],
  [/\.json$/i, /"(?:registry-mirrors|insecure-registries)"\s*:/, 'docker-daemon'],
  [/\.ya?ml$/i, /^machine:|^kind:\s*Registry(?:Mirror|Auth|TLS)Config\b/m, 'talos-machine'],
  [
    /\.ya?ml$/i,
    /^(?:disable-default-registry-endpoint|embedded-registry|private-registry):/m,
    'k3s-config',
  ],
  [/\.(?:ya?ml|json)$/i, /^\s*"?apiVersion"?:(?!\s*"?slipway\.dev\/)/m, 'manifest'],
  [/\.ya?ml$/i, /^["']?(?:mirrors|configs)["']?:/m, 'k3s-registries'],
];

const imageListName = /^(?:.*[-_.])?images?(?:[-_.].*)?\.(?:txt|list|lst)$/i;

/**
 * What a file is: `certs.d/docker.io/hosts.yaml` → `hosts` by its name, `my-mirrors.toml` with a
 * `[host."…"]` header → `hosts` by its text; undefined for what no runtime reads.
 */
export function recogniseFile(path: string, text: string): RecognisedFile | undefined {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  if (/\.conf$/.test(name) && parts.at(-2) === 'registries.conf.d') {
    return { kind: 'registries-conf', by: 'name' };
  }
  const named = byName.find(([pattern]) => pattern.test(name));
  if (named !== undefined) return { kind: named[1], by: 'name' };
  const meant = byNameAndText.find(
    ([pattern, telling]) =>
      pattern.test(name) && (telling.test(text) || !/[:=[]/.test(text)) && !document.test(text),
  );
  if (meant !== undefined) return { kind: meant[2], by: 'name' };
  const found = byText.find(([names, telling]) => names.test(name) && telling.test(text));
  if (found !== undefined) return { kind: found[2], by: name === 'config.toml' ? 'name' : 'text' };
  if (/\.(?:ba|da|k|z)?sh$/i.test(name) || /^#!.*\b(?:ba|da|k|z)?sh\b/.test(text)) {
    return { kind: 'script', by: 'name' };
  }
  return imageListName.test(name) ? { kind: 'images', by: 'name' } : undefined;
}

/** A file that somebody named although nothing tells what it is: a list, if each line could be an image. */
export function recogniseNamedFile(path: string, text: string): RecognisedFile | undefined {
  const found = recogniseFile(path, text);
  if (found !== undefined) return found;
  const lines = text.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line));
  const isList =
    lines.length > 0 && lines.every((line) => /^\s*[\w$"'{[][^\s=]*[/:]?[^\s=]*\s*$/.test(line));
  return isList && !/\.(?:toml|conf|json|ya?ml)$/i.test(path)
    ? { kind: 'images', by: 'text' }
    : undefined;
}
