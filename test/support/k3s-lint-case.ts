/** Builds wrong registries.yaml files with their corrected twins; most can stand together in one file. */

import type { LintCase } from './lint-case.ts';

/** Where k3s looks. */
export const REGISTRIES = '/etc/rancher/k3s/registries.yaml';
/** Where k3s looks for options. */
export const CONFIG = '/etc/rancher/k3s/config.yaml';
/** A file of authorities that is there. */
export const CA = '/etc/ssl/mirror-ca.pem';
/** It, as a file of the node. */
export const ca = { [CA]: 'any text: lint looks only whether the file is there\n' };
/** The option that leaves registries themselves out. */
export const cutOff = { [CONFIG]: 'disable-default-registry-endpoint: true\n' };

/** Lines below `mirrors:` and below `configs:`. */
export interface Sections {
  readonly mirrors?: readonly string[];
  readonly configs?: readonly string[];
}

/** `{ mirrors: ['  a:'] }` → a file. */
export function textOf({ mirrors = [], configs = [] }: Sections): string {
  const lines = [
    ...(mirrors.length === 0 ? [] : ['mirrors:', ...mirrors]),
    ...(configs.length === 0 ? [] : ['configs:', ...configs]),
  ];
  return `${lines.join('\n')}\n`;
}

/** A case of k3s. */
export interface K3sCase extends LintCase {
  /** Nothing else is found in its wrong registries.yaml, so only cases in other files stand beside it. */
  readonly isUnreadable?: true;
}

type Head = Pick<LintCase, 'what' | 'rule' | 'mode'>;

/** A case that can stand beside others; `at` is the number of the line in `wrong`, of its mirrors unless said. */
export function together(
  head: Head,
  wrong: Sections,
  right: Sections,
  at: number | { readonly configs: number },
): K3sCase {
  const wrongIn = typeof at === 'number' ? 'mirrors' : 'configs';
  const wrongLine = typeof at === 'number' ? at : at.configs;
  const above = wrongIn === 'mirrors' ? 1 : (wrong.mirrors ?? []).length + (wrong.mirrors ? 2 : 1);
  return {
    ...head,
    wrong: { ...ca, [REGISTRIES]: textOf(wrong) },
    right: { ...ca, [REGISTRIES]: textOf(right) },
    at: `${REGISTRIES}:${above + wrongLine}`,
  };
}

/** The lines of one registry with one endpoint. */
export function mirror(name: string, url: string, ...rest: readonly string[]): readonly string[] {
  return [`  ${name}:`, '    endpoint:', `      - ${url}`, ...rest];
}

/** The lines of one host under `configs`. */
export function config(host: string, ...lines: readonly string[]): readonly string[] {
  return [`  ${host}:`, ...lines.map((line) => `    ${line}`)];
}

/** The lines of its `tls`. */
export function tls(...lines: readonly string[]): readonly string[] {
  return ['tls:', ...lines.map((line) => `  ${line}`)];
}

/** A rewrite of a registry that nothing else is said about; the finding stands at the pattern. */
export function rewriteCase(
  what: string,
  name: string,
  wrong: readonly [string, string],
  right: readonly [string, string],
): K3sCase {
  const lines = ([pattern, text]: readonly [string, string]) =>
    mirror(name, 'https://m.example', '    rewrite:', `      '${pattern}': '${text}'`);
  return together({ what, rule: 'K005' }, { mirrors: lines(wrong) }, { mirrors: lines(right) }, 5);
}

/** registries.yaml with this text. */
export function file(text: string): LintCase['wrong'] {
  return { [REGISTRIES]: text };
}

/** A registries.yaml with one good mirror. */
export const docker = textOf({ mirrors: mirror('docker.io', 'https://m.example') });
/** Where a template of one's own for containerd's configuration stands. */
export const template = '/var/lib/rancher/k3s/agent/etc/containerd/config.toml.tmpl';
/** One that changes nothing. */
export const base = '{{ template "base" . }}\n';

/** A `tls` that checks certificates. */
export const caFile = tls(`ca_file: ${CA}`);

/** A case with whole files. */
export function whole(
  head: Head & Pick<K3sCase, 'at' | 'version' | 'isUnreadable'>,
  wrong: LintCase['wrong'],
  right: LintCase['right'],
): K3sCase {
  return { ...head, wrong, right };
}
