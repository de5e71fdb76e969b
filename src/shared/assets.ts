import { readFile } from 'node:fs/promises';

/**
 * Reads a file that ships with the product, by its path from the project's root:
 * `readAsset('data/kubernetes/v1.34.3.yaml')`. The only module that knows where such files lie.
 */
export function readAsset(path: string): Promise<string> {
  return readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
}
