/** Builds wrong registries.yaml files with their corrected twins; most can stand together in one file. */

import type { LintCase } from './lint-cases.ts';

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

/** The wrong lines of a case, and which of them is found. */
export interface Piece extends Sections {
  /** In `mirrors` or `configs`: the line from 1, within its section; else the place itself. */
  readonly wrongIn: 'mirrors' | 'configs' | 'another file';
  readonly wrongLine: number;
}

/** `{ mirrors: ['  a:'] }` → a file. */
export function textOf({ mirrors = [], configs = [] }: Sections): string {
  const lines = [
    ...(mirrors.length === 0 ? [] : ['mirrors:', ...mirrors]),
    ...(configs.length === 0 ? [] : ['configs:', ...configs]),
  ];
  return `${lines.join('\n')}\n`;
}

/** The wrong lines of the cases that can stand with others. */
export const pieces = new Map<LintCase, Piece>();

type Head = Pick<LintCase, 'what' | 'rule' | 'mode'>;

/** A case that can stand beside others; `at` is the number of the line in `wrong`, of its mirrors unless said. */
export function together(
  head: Head,
  wrong: Sections,
  right: Sections,
  at: number | { readonly configs: number },
): LintCase {
  const wrongIn = typeof at === 'number' ? 'mirrors' : 'configs';
  const wrongLine = typeof at === 'number' ? at : at.configs;
  const above = wrongIn === 'mirrors' ? 1 : (wrong.mirrors ?? []).length + (wrong.mirrors ? 2 : 1);
  const one: LintCase = {
    ...head,
    wrong: { ...ca, [REGISTRIES]: textOf(wrong) },
    right: { ...ca, [REGISTRIES]: textOf(right) },
    at: `${REGISTRIES}:${above + wrongLine}`,
  };
  pieces.set(one, { ...wrong, wrongIn, wrongLine });
  return one;
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
): LintCase {
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

/** A case whose finding stands in another file than registries.yaml. */
export function elsewhere(
  head: Head & Pick<LintCase, 'at'>,
  wrong: LintCase['wrong'],
  right: LintCase['right'],
): LintCase {
  const one = { ...head, wrong, right };
  pieces.set(one, { wrongIn: 'another file', wrongLine: 0 });
  return one;
}

/** A `tls` that checks certificates. */
export const caFile = tls(`ca_file: ${CA}`);

/** A case that cannot stand beside others. */
export function alone(
  head: Head & Pick<LintCase, 'at' | 'version'>,
  wrong: LintCase['wrong'],
  right: LintCase['right'],
): LintCase {
  return { ...head, wrong, right };
}
