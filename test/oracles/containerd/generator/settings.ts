/** Each key of a host table with values that containerd takes and values that it does not. */

import fc from 'fast-check';

/** A key with a value as TOML text, and the row that it is an example of. */
export interface Setting {
  readonly key: string;
  readonly value: string;
  readonly row: string;
}

type Values = ReadonlyArray<readonly [value: string, row: string]>;

const right: Readonly<Record<string, Values>> = {
  capabilities: [
    ['["pull", "resolve"]', 'key/capabilities'],
    ['["pull", "resolve", "push"]', 'key/capabilities'],
    ['["pull"]', 'key/capabilities'],
    ['["resolve"]', 'key/capabilities'],
    ['["push"]', 'key/capabilities'],
    ['["Push", "PULL", "Resolve"]', 'capabilities/letter-case'],
    ['[]', 'capabilities/empty-list'],
  ],
  ca: [
    ['"/etc/containerd/tls/site.pem"', 'ca/string'],
    ['["/etc/containerd/tls/other.pem", "/etc/containerd/tls/site.pem"]', 'ca/list'],
    ['"/etc/containerd/tls/other.pem"', 'ca/string'],
    ['"../../tls/site.pem"', 'ca/relative'],
  ],
  client: [
    ['"/etc/containerd/tls/client.pem"', 'client/string'],
    ['["/etc/containerd/tls/client.pem", "/etc/containerd/tls/client.pem"]', 'client/two-bundles'],
    ['[["/etc/containerd/tls/client.crt", "/etc/containerd/tls/client.key"]]', 'client/pair'],
    ['[["/etc/containerd/tls/client.pem", ""]]', 'client/pair'],
  ],
  skip_verify: [
    ['true', 'key/skip_verify'],
    ['false', 'skip_verify/false'],
  ],
  override_path: [
    ['true', 'key/override_path'],
    ['false', 'key/override_path'],
  ],
  dial_timeout: [
    ['"3s"', 'key/dial_timeout'],
    ['"500ms"', 'key/dial_timeout'],
  ],
  header: [
    ['{"X-Mark" = "one"}', 'header/string'],
    ['{"X-Mark" = ["one", "two"]}', 'header/list'],
    ['{"x-mark" = "small"}', 'header/string'],
    ['{"Authorization" = "Basic aDpo"}', 'header/authorization'],
  ],
};

const wrong: Readonly<Record<string, Values>> = {
  capabilities: [
    ['["pull "]', 'capabilities/unknown-word'],
    ['["referrers", "pull", "resolve"]', 'capabilities/referrers'],
    ['"pull"', 'value/type'],
    ['[1]', 'value/type'],
  ],
  ca: [
    ['"/etc/containerd/tls/none.pem"', 'ca/missing'],
    ['"/etc/containerd/tls/empty.pem"', 'ca/invalid'],
    ['[]', 'ca/list'],
    ['""', 'ca/missing'],
    ['["x", 5]', 'value/type'],
    ['{}', 'value/type'],
    ['1.5', 'value/type'],
  ],
  client: [
    ['["/etc/containerd/tls/client.crt", "/etc/containerd/tls/client.key"]', 'client/two-bundles'],
    ['"/etc/containerd/tls/none.pem"', 'client/missing'],
    ['[]', 'client/string'],
    ['[["a"]]', 'value/client'],
    ['[[1, 2]]', 'value/client'],
    ['{}', 'value/client'],
    ['""', 'client/missing'],
  ],
  skip_verify: [['"true"', 'value/type']],
  override_path: [['1', 'value/type']],
  dial_timeout: [
    ['"x"', 'value/dial-timeout'],
    ['""', 'value/dial-timeout'],
    ['3', 'value/type'],
  ],
  header: [
    ['{}', 'header/string'],
    ['{"X-Mark" = ["one", 1]}', 'value/type'],
    ['"x"', 'value/type'],
  ],
  insecure_skip_verify: [['true', 'key/unknown']],
  plain_http: [['true', 'key/unknown']],
};

function settingOf(table: Readonly<Record<string, Values>>): fc.Arbitrary<Setting> {
  return fc
    .constantFrom(...Object.keys(table))
    .chain((key) =>
      fc.constantFrom(...(table[key] ?? [])).map(([value, row]) => ({ key, value, row })),
    );
}

/** Up to three settings, nearly all of them right. */
export const settings: fc.Arbitrary<readonly Setting[]> = fc.uniqueArray(
  fc.oneof({ weight: 19, arbitrary: settingOf(right) }, { weight: 1, arbitrary: settingOf(wrong) }),
  { selector: ({ key }) => key, maxLength: 3 },
);

/** Up to three settings, half of them wrong. */
export const oddSettings: fc.Arbitrary<readonly Setting[]> = fc.uniqueArray(
  fc.oneof(settingOf(right), settingOf(wrong)),
  { selector: ({ key }) => key, maxLength: 3 },
);
