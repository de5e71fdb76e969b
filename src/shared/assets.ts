// An import of node:fs loads node:fs/promises behind it, which every start of the program would pay.
const { readFileSync } = process.getBuiltinModule('node:fs');

/**
 * Reads a file that ships with the product, by its path from the project's root:
 * `readAsset('data/kubernetes/v1.34.3.yaml')`. The only module that knows where such files lie.
 */
export async function readAsset(path: string): Promise<string> {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}
