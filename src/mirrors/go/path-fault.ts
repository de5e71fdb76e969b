/** What is wrong with a configuration, and the path of keys that leads to it. */
export class PathFault extends Error {
  readonly path: readonly string[];

  constructor(message: string, path: readonly string[]) {
    super(message);
    this.path = path;
  }
}
