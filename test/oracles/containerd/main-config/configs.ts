/** Main configurations, good and broken, by what they show. The verdicts are containerd's to give. */

import type { ConfigFolder } from './real-verdict.ts';

const images = '[plugins."io.containerd.cri.v1.images"]';
const registry = '[plugins."io.containerd.cri.v1.images".registry]';
const runtime = '[plugins."io.containerd.cri.v1.runtime"';
const old = '[plugins."io.containerd.grpc.v1.cri"';
const gc = '[plugins."io.containerd.gc.v1.scheduler"]';
const mirrors = `[plugins."io.containerd.cri.v1.images".registry.mirrors."docker.io"]\nendpoint = ["https://m"]`;

/** Lines of a file of version 3. */
function three(...lines: readonly string[]): ConfigFolder {
  return { 'config.toml': `version = 3\n${lines.join('\n')}\n` };
}

function text(...lines: readonly string[]): ConfigFolder {
  return { 'config.toml': `${lines.join('\n')}\n` };
}

function latin1(content: string): ConfigFolder {
  return { 'config.toml': Buffer.from(content, 'latin1') };
}

const encoding: Readonly<Record<string, ConfigFolder>> = {
  'an empty file': text(''),
  'nothing but a version': three(),
  'a byte in a comment that is not UTF-8': latin1('version = 3\n# f\xfcr\n'),
  'a byte in a text that is not UTF-8': latin1('version = 3\n[debug]\naddress = "\xfc"\n'),
  'UTF-8 in a comment': text('version = 3', '# für'),
  'a byte order mark': text('\uFEFFversion = 3'),
  'line ends of Windows': text('version = 3\r\n[debug]\r\nlevel = "info"\r'),
};

const toml: Readonly<Record<string, ConfigFolder>> = {
  'an inline table over several lines': text('version = 3', 'debug = {', '  level = "info" }'),
  'an inline table on one line': three('debug = { level = "info" }'),
  'a comma at the end of an inline table': three('debug = { level = "info", }'),
  'a comma at the end of a list': three('disabled_plugins = [', '  "io.containerd.x.v1.y",', ']'),
  'an escape of TOML 1.1': three('root = "\\x41"'),
  'a time without seconds': three('[plugins.x]', 'a = 07:32'),
  'a day that does not exist': three('[plugins.x]', 'a = 2026-02-30'),
  'a key twice': text('version = 3', 'version = 3'),
  'a table twice': three('[debug]', '[debug]'),
  'a bare word as value': three('root = x'),
  'a text that does not end': three('root = "x'),
};

const types: Readonly<Record<string, ConfigFolder>> = {
  'oom_score as text': three('oom_score = "x"'),
  'oom_score as a float': three('oom_score = 1.0'),
  'oom_score in capitals, as text': three('OOM_Score = "x"'),
  'oom_score as a number': three('oom_score = 0'),
  'the version as text': text('version = "3"'),
  'the version as a float': text('version = 3.0'),
  'a version below zero': text('version = -1'),
  'a version that is too new': text('version = 9'),
  'version 0': text('version = 0'),
  'the address as a number': three('[grpc]', 'address = 5'),
  'grpc as a list': three('grpc = []'),
  'grpc as a list of tables': three('[[grpc]]', 'uid = 1'),
  'plugins as a number': three('plugins = 1'),
  'an unknown plugin as a number': three('[plugins]', 'foo = 1'),
  'unknown keys and tables': three('unknown = 1', '[more]', 'a = "x"'),
  'disabled_plugins as text': three('disabled_plugins = "x"'),
  'disabled_plugins with a number': three('disabled_plugins = [1]'),
  'imports as text': three('imports = "x"'),
  'a timeout as a number': three('[timeouts]', 'a = 5'),
  'metrics with a wrong flag': three('[metrics]', 'grpc_histogram = "yes"'),
  'config_path as a number': three(registry, 'config_path = 5'),
  'config_path in capitals, as a number': three(registry, 'Config_Path = 5'),
  'mirrors as a list': three(registry, 'mirrors = []'),
  'an endpoint as text': three(`${registry.slice(0, -1)}.mirrors."a"]`, 'endpoint = "x"'),
  'pinned_images as a number': three(images, 'pinned_images = 5'),
  'the port as a number': three(`${old}]`, 'stream_server_port = 10'),
  'a number where the collector wants a float': three(gc, 'pause_threshold = 1'),
  'text where the collector wants a float': three(gc, 'pause_threshold = "x"'),
  'a duration without a unit': three(gc, 'schedule_delay = "5"'),
  'a duration as a number': three(gc, 'schedule_delay = 5'),
  'a good duration': three(gc, 'schedule_delay = "5ms"'),
  'a plugin as a number': three('[plugins]', '"io.containerd.gc.v1.scheduler" = 1'),
  'wrong settings of a disabled plugin': three(
    'disabled_plugins = ["io.containerd.internal.v1.opt"]',
    '[plugins."io.containerd.internal.v1.opt"]',
    'path = 1',
  ),
  'wrong settings of a plugin without any': three(
    '[plugins."io.containerd.grpc.v1.version"]',
    'a = 1',
  ),
  'settings of old CRI in a new file': three(`${old}]`, 'registry = 5'),
};

const values: Readonly<Record<string, ConfigFolder>> = {
  'a level that does not exist': three('[debug]', 'level = "loud"'),
  'a level in capitals': three('[debug]', 'level = "INFO"'),
  'a format that does not exist': three('[debug]', 'format = "xml"'),
  'a timeout that is no duration': three('[timeouts]', 'a = "x"'),
  'an empty address': three('[grpc]', 'address = ""'),
  'a missing import': three('imports = ["/nothing.toml"]'),
  'a pattern that matches nothing': three('imports = ["/nothing/*.toml"]'),
  'a pattern with an open bracket': three('imports = ["/nothing/[*.toml"]'),
  'a required plugin that exists': three('required_plugins = ["io.containerd.grpc.v1.cri"]'),
  'a required plugin that does not exist': three('required_plugins = ["io.containerd.x.v1.y"]'),
  'a required plugin by its short name': three('required_plugins = ["cri"]'),
  'a required plugin that is disabled': three(
    'required_plugins = ["io.containerd.grpc.v1.events"]',
    'disabled_plugins = ["io.containerd.grpc.v1.events"]',
  ),
  'a required proxy': three(
    'required_plugins = ["io.containerd.snapshotter.v1.x"]',
    '[proxy_plugins.x]',
    'type = "snapshot"',
    'address = "/x.sock"',
  ),
  'a disabled plugin by its short name': three('disabled_plugins = ["cri"]'),
  'a disabled plugin by its short name without a version': text('disabled_plugins = ["cri"]'),
  'a disabled service by its short name': text('disabled_plugins = ["images-service"]'),
  'a disabled plugin that does not exist': three('disabled_plugins = ["io.containerd.x.v1.y"]'),
  'a proxy of no known type': three('[proxy_plugins.x]', 'type = "bad"', 'address = "/x.sock"'),
  'a proxy under a name that is taken': three(
    '[proxy_plugins.overlayfs]',
    'type = "snapshot"',
    'address = "/x.sock"',
  ),
};

const cri: Readonly<Record<string, ConfigFolder>> = {
  'one directory': three(registry, 'config_path = "/etc/containerd/certs.d"'),
  'mirrors beside config_path': three(registry, 'config_path = "/x"', mirrors),
  'mirrors alone': three(mirrors),
  'an auth with a URL that is none': three(
    `${registry.slice(0, -1)}.auths."https://a b"]`,
    'auth = ""',
  ),
  'CRI required and broken': three(
    'required_plugins = ["io.containerd.grpc.v1.cri"]',
    registry,
    'config_path = "/x"',
    mirrors,
  ),
  'a pull timeout that is none': three(images, 'image_pull_progress_timeout = "x"'),
  'an idle timeout that is none': three(`${old}]`, 'stream_idle_timeout = "x"'),
  'a drain timeout that is none': three(`${runtime}]`, 'drain_exec_sync_io_timeout = "x"'),
  'the native snapshotter': three(images, 'snapshotter = "native"'),
  'a snapshotter that does not exist': three(images, 'snapshotter = "nope"'),
  'a snapshotter by proxy': three(
    images,
    'snapshotter = "x"',
    '[proxy_plugins.x]',
    'type = "snapshot"',
    'address = "/x.sock"',
  ),
  'a default runtime that does not exist': three(
    `${runtime}.containerd]`,
    'default_runtime_name = "x"',
  ),
  'an empty default runtime': three(`${runtime}.containerd]`, 'default_runtime_name = ""'),
  'one more runtime': three(`${runtime}.containerd.runtimes.x]`, 'runtime_type = "y"'),
  'a kind of streams that does not exist': three(
    `${runtime}.containerd.runtimes.runc]`,
    'io_type = "y"',
  ),
  'all devices without the flag for it': three(
    `${runtime}.containerd.runtimes.runc]`,
    'privileged_without_host_devices_all_devices_allowed = true',
  ),
  'both folders of network plugins': three(
    `${runtime}.cni]`,
    'bin_dir = "/a"',
    'bin_dirs = ["/b"]',
  ),
};

const transfer = '"io.containerd.transfer.v1.local".unpack_config';
const dependencies: Readonly<Record<string, ConfigFolder>> = {
  'a content store by proxy': three('[proxy_plugins.x]', 'type = "content"', 'address = "/x"'),
  'a differ by proxy': three('[proxy_plugins.x]', 'type = "diff"', 'address = "/x"'),
  'a policy that does not exist': three(
    '[plugins."io.containerd.metadata.v1.bolt"]',
    'content_sharing_policy = "bad"',
  ),
  'a policy that exists': three(
    '[plugins."io.containerd.metadata.v1.bolt"]',
    'content_sharing_policy = "isolated"',
  ),
  'a differ that does not exist': three(
    '[plugins."io.containerd.service.v1.diff-service"]',
    'default = ["bad"]',
  ),
  'a platform that is none': three(
    '[plugins."io.containerd.runtime.v2.task"]',
    'platforms = ["a/b/c/d"]',
  ),
  'a platform that is one': three(
    '[plugins."io.containerd.runtime.v2.task"]',
    'platforms = ["linux/arm64/v8"]',
  ),
  'unpacking by a snapshotter that does not exist': three(
    `[[plugins.${transfer}]]`,
    'platform = "linux/amd64"',
    'snapshotter = "bad"',
  ),
  'unpacking by the native snapshotter': three(
    `[[plugins.${transfer}]]`,
    'platform = "linux/amd64"',
    'snapshotter = "native"',
  ),
  'a runtime on a platform that is none': three(
    '[plugins."io.containerd.cri.v1.images".runtime_platforms.x]',
    'platform = "bad"',
  ),
  'a period below zero': three(images, 'stats_collect_period = -1'),
  'a key pair for streams without the flag': three(
    '[plugins."io.containerd.grpc.v1.cri".x509_key_pair_streaming]',
    'tls_cert_file = "/x"',
  ),
};

const migration: Readonly<Record<string, ConfigFolder>> = {
  'version 2, mirrors beside config_path': text(
    'version = 2',
    `${old}.registry]`,
    'config_path = "/x"',
    `${old}.registry.mirrors."docker.io"]`,
    'endpoint = ["https://m"]',
  ),
  'version 1 is not migrated': text(
    '[plugins.cri.registry]',
    'config_path = "/x"',
    '[plugins.cri.registry.mirrors."docker.io"]',
    'endpoint = ["https://m"]',
  ),
  'version 2, CRI as a number': text('version = 2', '[plugins]', '"io.containerd.grpc.v1.cri" = 1'),
  'version 2, containerd as a number': text('version = 2', `${old}]`, 'containerd = 1'),
  'version 2, a runtime as a number': text('version = 2', `${old}.containerd.runtimes]`, 'x = 1'),
  'version 2, a folder as a number': text('version = 2', `${old}.cni]`, 'bin_dir = 1'),
  'version 2, a snapshotter that stays behind': text(
    'version = 2',
    `${old}.containerd]`,
    'snapshotter = "nope"',
  ),
  'version 2, a snapshotter that is migrated': text(
    'version = 2',
    `${old}.containerd]`,
    'snapshotter = "nope"',
    `${old}.containerd.runtimes.runc]`,
    'runtime_type = "io.containerd.runc.v2"',
  ),
  'version 2 under a drop-in of version 3 is not migrated': {
    'config.toml': `version = 2\nimports = ["conf.d/*.toml"]\n${old}.registry]\nconfig_path = "/x"\n${old}.registry.mirrors."a"]\nendpoint = ["https://m"]\n`,
    'conf.d/a.toml': 'version = 3\n',
  },
  'version 3 under a drop-in of version 2 is migrated': {
    'config.toml': `version = 3\nimports = ["conf.d/*.toml"]\n${old}.registry]\nconfig_path = "/x"\n${old}.registry.mirrors."a"]\nendpoint = ["https://m"]\n`,
    'conf.d/a.toml': 'version = 2\n',
  },
  'a drop-in that disables': {
    'config.toml': 'version = 3\nimports = ["conf.d/*.toml"]\n',
    'conf.d/a.toml': 'version = 3\ndisabled_plugins = ["io.containerd.transfer.v1.local"]\n',
  },
  'a drop-in with a wrong type': {
    'config.toml': 'version = 3\nimports = ["conf.d/*.toml"]\n',
    'conf.d/a.toml': 'oom_score = "x"\n',
  },
};

/** All of them: what a file shows → the folder with it. */
export const configFolders: ReadonlyMap<string, ConfigFolder> = new Map(
  [encoding, toml, types, values, cri, dependencies, migration].flatMap((group) =>
    Object.entries(group),
  ),
);
