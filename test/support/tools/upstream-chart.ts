import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toolPath } from './build-tools.ts';
import { runProgram } from './run-program.ts';

/** The chart that hub.oepkgs.net holds, as an OCI reference without tag, and its version. */
export const upstreamChart = {
  ref: 'oci://hub.oepkgs.net/openfuyao/charts/metrics-server',
  version: '3.12.2',
} as const;

const files = {
  'Chart.yaml': `apiVersion: v2
name: metrics-server
version: ${upstreamChart.version}
appVersion: "0.7.2"
description: A small chart for the scenarios
`,
  'values.yaml': 'replicas: 1\n',
  'templates/config-map.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  replicas: "{{ .Values.replicas }}"
`,
} as const;

/** Packs the chart with the real helm: → the path of `metrics-server-3.12.2.tgz` below `folder`. */
export async function packUpstreamChart(folder: string): Promise<string> {
  const source = join(folder, 'metrics-server');
  await mkdir(join(source, 'templates'), { recursive: true });
  for (const [path, content] of Object.entries(files)) await writeFile(join(source, path), content);
  await runProgram([await toolPath('helm', 'helm'), 'package', source, '--destination', folder]);
  return join(folder, `metrics-server-${upstreamChart.version}.tgz`);
}
