/** What is surprising about one image with this configuration, though nothing is wrong with the files. */

import { type Reference, repositoryName } from '../../../oci/reference.ts';
import type { Noticed } from '../../finding.ts';
import type { RegistriesConfig } from '../read/registries-config.ts';
import { findRegistry } from '../walk/match-prefix.ts';

/** A prefix without port that matches one with port, and a wildcard that does not match its own domain. */
export function nameFindings(
  reference: Reference,
  { registries }: Pick<RegistriesConfig, 'registries'>,
): readonly Noticed[] {
  const { domain } = reference;
  const found = findRegistry(registries, repositoryName(reference));
  const [host = ''] = domain.split(':');
  if (found !== undefined && found.prefix === host && host !== domain) {
    return [
      {
        rule: 'R003',
        level: 'warn',
        origin: found.origin,
        message: `the prefix ${host} matches ${domain} too, which its makers call a mistake that will be mended`,
        fix: `Write a table of its own for ${domain}.`,
      },
    ];
  }
  const wildcard = registries.find(({ prefix }) => prefix === `*.${domain}`);
  if (found !== undefined || wildcard === undefined) return [];
  return [
    {
      rule: 'R003',
      level: 'info',
      origin: wildcard.origin,
      message: `${wildcard.prefix} does not match ${domain} itself`,
      fix: `Write a table of its own for ${domain}, if it is meant too.`,
    },
  ];
}
