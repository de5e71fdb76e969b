import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describeError, systemCode } from '../../shared/errors.ts';
import { readInputFile } from '../../shared/input-file.ts';
import { formatCount } from '../../shared/quantities.ts';
import { loginFiles } from '../../trust/credential-sources.ts';
import { type DockerLogins, parseDockerConfig } from '../../trust/docker-config.ts';
import { type Check, type DoctorPlaces, type Finding, ok } from './check.ts';

/** Checks of the registry logins that docker and podman keep. */
export const loginChecks: readonly Check[] = [{ name: 'logins', find: checkLogins }];

async function checkLogins({ environment }: DoctorPlaces): Promise<Finding> {
  try {
    const files = await Promise.all(loginFiles(environment.loginFiles).map(readLogins));
    const found = files.filter((logins) => logins !== undefined);
    const missing = await missingHelpers(found, environment.variables['PATH'] ?? '');
    return judgeLogins(found, missing);
  } catch (error) {
    const fix = 'Log in again with docker login or podman login, or repair the file.';
    return { status: 'fail', text: describeError(error), fix };
  }
}

/** Logins may be missing; a helper that is named but missing breaks every pull it is asked for. */
export function judgeLogins(found: readonly DockerLogins[], missing: readonly string[]): Finding {
  if (missing.length > 0) {
    const fix = 'Install it, or take it out of "credHelpers" and "credsStore" and log in again.';
    return { status: 'fail', text: `not on the PATH: ${missing.join(', ')}`, fix };
  }
  if (found.length === 0) return ok('no login files; registries are used without a login');
  const counts = found.map(
    (logins) => `${logins.path}: ${formatCount(logins.entries.size, 'login')}`,
  );
  return ok(counts.join(', '));
}

async function readLogins(path: string): Promise<DockerLogins | undefined> {
  try {
    return parseDockerConfig((await readInputFile(path, 16 * 1024 * 1024)).toString('utf8'), path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

async function missingHelpers(
  found: readonly DockerLogins[],
  path: string,
): Promise<readonly string[]> {
  const names = found.flatMap((logins) => [...logins.helpers.values(), logins.store ?? []].flat());
  const programs = [...new Set(names)].map((name) => `docker-credential-${name}`);
  const present = await Promise.all(programs.map((program) => isOnPath(program, path)));
  return programs.filter((_program, index) => !present[index]);
}

async function isOnPath(program: string, path: string): Promise<boolean> {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const found = await Promise.all(folders.map((folder) => isExecutable(join(folder, program))));
  return found.includes(true);
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
