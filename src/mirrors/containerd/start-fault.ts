/** Why containerd does not start: a setting in the files that it read; `path` leads to it. */
export class StartFault extends Error {
  readonly path: readonly string[];

  constructor(message: string, path: readonly string[]) {
    super(message);
    this.path = path;
  }
}
