/** A file that shall stand on the node, with what an operator should know about it. */
export interface WantedFile {
  /** The node's own path: `/etc/containerd/certs.d/docker.io/hosts.toml`. */
  readonly path: string;
  readonly content: string;
  /** Why it is there: `docker.io is pulled from harbor.example`. */
  readonly because: string;
  /** True when the content is somebody else's file with single lines changed. */
  readonly isChange?: true;
}

const MARKER = '# Written by Slipway';

/** The first line of every file of ours; what does not start with it belongs to somebody else. */
export function markerLine(subject: string): string {
  return `${MARKER}: ${subject}. Do not edit, the next "slipway mirrors write" replaces it.`;
}

/** True when the text is one of ours. */
export function isOurs(text: string): boolean {
  return text.startsWith(MARKER);
}
