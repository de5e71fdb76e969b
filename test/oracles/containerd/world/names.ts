import type { Nature } from './world.ts';

/** Every host of the cases and what it is like; the recorder answers for all of them. */
export const natures: Readonly<Record<string, Nature>> = {
  'a.example': 'system',
  'b.example': 'system',
  'c.example': 'system',
  'reg.example': 'system',
  'docker.io': 'system',
  'registry-1.docker.io': 'system',
  'site.example': 'site',
  'foreign.example': 'foreign',
  'plain.example': 'plain',
  'refused.example': 'refused',
  'cut.example': 'cut',
  localhost: 'refused',
  '127.0.0.1': 'refused',
  '::1': 'refused',
};

/** Where redirects lead: it has everything and no rule of its own. */
export const redirectTarget = 'https://c.example';

/** The authority of `site` hosts, and one that signs nothing that is asked. */
export const siteAuthority = 'oracle site authority';
export const otherAuthority = 'oracle other authority';
