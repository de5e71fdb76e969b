import type { WrittenMirror } from './mirror-of.ts';
import type { WrittenConfig } from './settings-by-host.ts';

/** The text of registries.yaml: everything that is not a word of the format is in quotes. */
export function registriesText(
  mirrors: readonly WrittenMirror[],
  configs: readonly WrittenConfig[],
): string {
  const lines = [
    'mirrors:',
    ...mirrors.flatMap(mirrorLines),
    ...(configs.length === 0 ? [] : ['configs:', ...configs.flatMap(configLines)]),
  ];
  return `${lines.join('\n')}\n`;
}

function mirrorLines({ name, endpoints, rewrites }: WrittenMirror): readonly string[] {
  const pairs = Array.from(
    rewrites,
    ([pattern, text]) => `      ${quoted(pattern)}: ${quoted(text)}`,
  );
  return [
    `  ${quoted(name)}:`,
    '    endpoint:',
    ...endpoints.map((url) => `      - ${quoted(url)}`),
    ...(pairs.length === 0 ? [] : ['    rewrite:', ...pairs]),
  ];
}

function configLines({ host, login, caFile, skipVerify }: WrittenConfig): readonly string[] {
  const auth =
    login === undefined
      ? []
      : [
          '    auth:',
          `      username: ${quoted(login.username)}`,
          `      password: ${quoted(login.password.reveal())}`,
        ];
  const tls = [
    ...(caFile === undefined ? [] : [`      ca_file: ${quoted(caFile)}`]),
    ...(skipVerify === undefined ? [] : ['      insecure_skip_verify: true']),
  ];
  return [`  ${quoted(host)}:`, ...auth, ...(tls.length === 0 ? [] : ['    tls:', ...tls])];
}

/** In double quotes YAML has the escapes of JSON, and more. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
