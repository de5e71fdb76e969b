/**
 * Manifests and configurations that readers understand differently. What containerd makes of each was
 * said by containerd: test/oracles/go/json asks it again.
 */

/** Bytes, and whether containerd reads them without an error. */
export interface OddDocument {
  readonly name: string;
  readonly kind: 'manifest' | 'index' | 'config';
  readonly bytes: Buffer;
  readonly isRead: boolean;
}

const descriptor = (letter: string) =>
  `{"mediaType":"application/vnd.oci.image.layer.v1.tar","digest":"sha256:${letter.repeat(64)}","size":5}`;
const [a, b, c] = [descriptor('a'), descriptor('b'), descriptor('c')];
const manifest = `{"schemaVersion":2,"config":${a},"layers":[${b}]}`;
const index = `{"schemaVersion":2,"manifests":[${a}]}`;
const config = '{"os":"linux","architecture":"amd64","rootfs":{"type":"layers","diff_ids":["x"]}}';

type Row = readonly [name: string, isRead: boolean, text: string | Buffer];

const manifests: readonly Row[] = [
  ['a manifest', true, manifest],
  ['a manifest behind a byte order mark', false, `\ufeff${manifest}`],
  ['a manifest behind white space', true, ` \r\n\t${manifest}\n`],
  ['a manifest with something behind it', false, `${manifest}{}`],
  ['a manifest with a zero byte behind it', false, `${manifest}\u0000`],
  ['a manifest with layers in capitals', true, manifest.replace('layers', 'LAYERS')],
  ['a manifest with a long s in layers', true, manifest.replace('layers', 'layer\u017f')],
  ['a manifest with layers twice', true, manifest.replace('}]}', `}],"layers":[${c}]}`)],
  [
    'a manifest with layers twice in two cases',
    true,
    manifest.replace('}]}', `}],"Layers":[${c}]}`),
  ],
  [
    'a manifest whose second layers are shorter',
    true,
    `{"layers":[${a},${b}],"layers":[{"size":7}]}`,
  ],
  ['a manifest whose second layers are null', true, `{"layers":[${a}],"layers":null}`],
  [
    'a manifest whose second config is a part of one',
    true,
    `{"config":${a},"config":{"size":9},"layers":[]}`,
  ],
  ['a manifest with a digest in capitals', true, manifest.replace('"digest"', '"DIGEST"')],
  ['a manifest with two sizes', true, manifest.replace('"size":5', '"size":5,"Size":6')],
  ['a manifest with a size with a point', false, manifest.replace('"size":5', '"size":5.0')],
  ['a manifest with a size with an exponent', false, manifest.replace('"size":5', '"size":1e3')],
  [
    'a manifest with a size above 64 bits',
    false,
    manifest.replace('"size":5', '"size":9223372036854775808'),
  ],
  ['a manifest with a negative size', true, manifest.replace('"size":5', '"size":-5')],
  ['a manifest with a size in quotes', false, manifest.replace('"size":5', '"size":"5"')],
  [
    'a manifest with layers that are an object',
    false,
    manifest.replace('[', '{"x":').replace(']', '}'),
  ],
  ['a manifest with config null', true, `{"config":null,"layers":[]}`],
  ['a manifest with manifests null', false, manifest.replace('{', '{"manifests":null,')],
  ['a manifest with manifests in capitals', false, manifest.replace('{', '{"MANIFESTS":[],')],
  [
    'a manifest that says it is an index',
    false,
    manifest.replace('{', '{"mediaType":"application/vnd.oci.image.index.v1+json",'),
  ],
  [
    'a manifest that says it is something else',
    true,
    manifest.replace('{', '{"mediaType":"text/plain",'),
  ],
  ['a manifest with fsLayers', false, manifest.replace('{', '{"fsLayers":[],')],
  [
    'a manifest with an annotation that is a number',
    false,
    manifest.replace('{', '{"annotations":{"a":1},'),
  ],
  [
    'a manifest with annotations in two cases',
    true,
    manifest.replace('{', '{"annotations":{"a":"1","A":"2"},'),
  ],
  [
    'a manifest with bytes that are no UTF-8',
    true,
    Buffer.from(manifest.replace('{', '{"x":"\u00ff",'), 'latin1'),
  ],
  ['a manifest with a lone surrogate', true, manifest.replace('{', '{"x":"\\ud800",')],
  ['a manifest with a line end in a string', false, manifest.replace('{', '{"x":"a\nb",')],
  ['a manifest with bad base64 data', false, manifest.replace('"size":5', '"size":5,"data":"YQ"')],
  ['a manifest with data', true, manifest.replace('"size":5', '"size":5,"data":"YWFhYWE="')],
  [
    'a manifest nested 10 000 deep',
    true,
    manifest.replace('{', `{"x":${'['.repeat(9999)}${']'.repeat(9999)},`),
  ],
  [
    'a manifest nested 10 001 deep',
    false,
    manifest.replace('{', `{"x":${'['.repeat(10000)}${']'.repeat(10000)},`),
  ],
  ['a manifest that is null', true, 'null'],
  ['a manifest that is a list', false, '[]'],
  ['a manifest that is empty', false, ''],
  ['a manifest that is a web page', false, '<html></html>'],
];

const indexes: readonly Row[] = [
  ['an index', true, index],
  [
    'an index with a Kelvin sign in a field that does not matter',
    true,
    index.replace('{', '{"\u212aind":1,'),
  ],
  ['an index with config', false, index.replace('{', '{"config":{},')],
  ['an index with layers null', false, index.replace('{', '{"layers":null,')],
  [
    'an index that says it is a manifest',
    false,
    index.replace('{', '{"mediaType":"application/vnd.docker.distribution.manifest.v2+json",'),
  ],
  [
    'an index with a platform that is null',
    true,
    index.replace('"size":5', '"size":5,"platform":null'),
  ],
  [
    'an index with a platform that is text',
    false,
    index.replace('"size":5', '"size":5,"platform":"linux/amd64"'),
  ],
  ['an index without manifests', true, '{}'],
];

const configs: readonly Row[] = [
  ['a configuration', true, config],
  ['a configuration behind a byte order mark', false, `\ufeff${config}`],
  ['a configuration with two platforms', true, config.replace('{', '{"OS":"windows",')],
  ['a configuration with a bad time', false, config.replace('{', '{"created":"yesterday",')],
  ['a configuration with an empty time', false, config.replace('{', '{"created":"",')],
  [
    'a configuration with a time without seconds',
    false,
    config.replace('{', '{"created":"2026-01-01T00:00Z",'),
  ],
  ['a configuration with time null', true, config.replace('{', '{"created":null,')],
  [
    'a configuration with ports as a list',
    false,
    config.replace('{', '{"config":{"ExposedPorts":["80"]},'),
  ],
  [
    'a configuration with ports',
    true,
    config.replace('{', '{"config":{"exposedports":{"80/tcp":{}}},'),
  ],
  ['a configuration with a command as text', false, config.replace('{', '{"config":{"Cmd":"sh"},')],
  ['a configuration with diff_ids as text', false, config.replace('["x"]', '"x"')],
  [
    'a configuration with rootfs twice',
    true,
    config.replace('{', '{"rootfs":{"diff_ids":["y","z"]},'),
  ],
  [
    "a configuration with Docker's other fields",
    true,
    config.replace('{', '{"container":1,"docker_version":[],'),
  ],
];

const of = (kind: OddDocument['kind'], rows: readonly Row[]): OddDocument[] =>
  rows.map(([name, isRead, text]) => ({ name, kind, isRead, bytes: Buffer.from(text as Buffer) }));

/** All of them. */
export const oddDocuments: readonly OddDocument[] = [
  ...of('manifest', manifests),
  ...of('index', indexes),
  ...of('config', configs),
];
