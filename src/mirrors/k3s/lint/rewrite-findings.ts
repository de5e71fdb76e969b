/** K005: rewrites that do something else than they seem to, or nothing. */

import { HUB } from '../../../oci/docker-hub.ts';
import type { FindingLevel } from '../../finding.ts';
import { compileGoRegexp, templateGroups } from '../../go/regexp/replace-all.ts';
import type { Placed } from '../../go/yaml/decoder.ts';
import { endpointAddress } from '../convert/endpoint-address.ts';
import type { Mirror } from '../registries-file.ts';
import { editAt, type Judged, type K3sNotice, originAt } from './k3s-notice.ts';
import { mayOverlap } from './overlap.ts';

interface Told {
  readonly level?: FindingLevel;
  readonly message: string;
  readonly fix: string;
}

/** All findings about rewrites. */
export function rewriteFindings(judged: Judged): readonly K3sNotice[] {
  const { mirrors } = judged.running.file.registries;
  return Array.from(mirrors).flatMap(([registry, mirror]) => [
    ...Array.from(mirror.rewrites).flatMap(([pattern, replacement]) =>
      oneRewrite(registry, pattern, replacement, judged),
    ),
    ...overlaps(registry, mirror, judged),
    ...lost(registry, mirror, judged),
  ]);
}

function oneRewrite(
  registry: string,
  pattern: string,
  { value, at }: Placed<string>,
  judged: Judged,
): readonly K3sNotice[] {
  const common = { rule: 'K005', registry, origin: originAt(judged, at) } as const;
  const mended = pattern.replaceAll(/\\\./g, '[.]');
  const canMend = mended !== pattern && !/[\\"]/.test(mended);
  const mend = canMend ? { mend: editAt(judged, at, JSON.stringify(mended)) } : {};
  return [
    ...escapes(pattern, value).map((told) => ({ ...common, ...told, ...mend })),
    ...[...patternFaults(registry, pattern), ...templateFaults(pattern, value)].map((told) => ({
      ...common,
      ...told,
    })),
  ];
}

/** Patterns come into the TOML file as they are. */
function escapes(pattern: string, template: string): readonly Told[] {
  const hasEscape = /[\\"]/.test(pattern);
  const message = `${hasEscape ? 'the pattern' : 'the replacement'} holds a backslash or a quote, which breaks the hosts.toml that k3s writes: all mirrors of the registry are lost`;
  const fix = 'Write [.] for a dot, [0-9] for a digit, and no quotes.';
  // A backslash with a digit has a finding of its own, which says what was meant.
  const isBroken = hasEscape || /["]|\\(?![0-9])/.test(template);
  return isBroken ? [{ level: 'error', message, fix }] : [];
}

function patternFaults(registry: string, pattern: string): readonly Told[] {
  const compiled = compileGoRegexp(pattern);
  if (compiled.kind === 'invalid') {
    const message = `Go does not compile the pattern, and the rewrite is passed over: ${compiled.error}`;
    const fix = 'Go has no look-around and no back-references; write what shall match.';
    return [{ level: 'error', message, fix }];
  }
  if (compiled.kind === 'unsupported') {
    const message = `Slipway cannot follow the pattern: ${compiled.reason}`;
    return [{ message, fix: 'Pull one image by hand, and look at the log of the mirror.' }];
  }
  return [...anchors(pattern), ...neverMatches(registry, pattern)];
}

function anchors(pattern: string): readonly Told[] {
  if (/^(?:\(\?[ims]+\))?(?:\^|\\A|\(\^)/.test(pattern)) return [];
  const takesRest = /\.[*+]\)?\$?$/.test(pattern);
  return [
    {
      level: takesRest ? 'warn' : 'error',
      message: takesRest
        ? 'the pattern also matches inside of a name'
        : 'the pattern is not anchored, and every match in a name is replaced',
      fix: `Write ^ in front of it${takesRest ? '' : ', and $ behind it'}.`,
    },
  ];
}

function neverMatches(registry: string, pattern: string): readonly Told[] {
  const letters = pattern.replaceAll(
    /\\[pPxQ]?\{[^}]*\}|\\.|\[[^\]]*\]|\(\?P?<[^>]*>|\(\?[a-zA-Z-]+:?/g,
    '',
  );
  if (/[A-Z]/.test(letters) && !/\(\?[a-z]*i/.test(pattern)) {
    const message = 'names of repositories are in lower case, so the pattern never matches';
    return [{ message, fix: 'Write it in lower case.' }];
  }
  if (registry === HUB && /^\^[a-z0-9._-]+\$$/.test(pattern)) {
    const message =
      'images of Docker Hub without a namespace are looked up as library/NAME, so the pattern never matches';
    return [{ message, fix: 'Write library/ in front of the name.' }];
  }
  const bare = pattern.replace(/^\^/, '').replaceAll(/\[\.\]|\\\./g, '.');
  if (registry === '*' || !bare.startsWith(`${registry}/`)) return [];
  const message = `the pattern holds ${registry}, but only what comes behind it in a name is matched`;
  return [{ message, fix: `Leave ${registry}/ out.` }];
}

function templateFaults(pattern: string, template: string): readonly Told[] {
  if (/\\[0-9]/.test(template)) {
    const message = 'a backslash with a digit is no reference in Go, and stays in the name';
    return [{ level: 'error', message, fix: 'Write $1, or with braces where a letter follows.' }];
  }
  return [
    ...groupFaults(pattern, template),
    ...nameFaults(template),
    ...gluedNames(pattern, template),
  ];
}

function groupFaults(pattern: string, template: string): readonly Told[] {
  const compiled = compileGoRegexp(pattern);
  if (compiled.kind !== 'compiled') return [];
  const { groupNames } = compiled;
  const missing = templateGroups(template).filter((name) =>
    /^(?:0|[1-9][0-9]*)$/.test(name)
      ? Number(name) >= groupNames.length
      : !groupNames.includes(name),
  );
  return missing.map((name) => {
    const digits = /^[0-9]+(?=[A-Za-z_])/.exec(name)?.[0];
    const message = `the pattern has no group ${name}, so nothing is put there`;
    const fix =
      digits === undefined
        ? 'Put parentheses around what shall be kept, and count them from the left.'
        : `Write \${${digits}}${name.slice(digits.length)}.`;
    return { level: 'error' as const, message, fix };
  });
}

/** `^a/(.*)$` with `b$1` makes `bapp` of `a/app`. */
function gluedNames(pattern: string, template: string): readonly Told[] {
  const isGlued = /\/\(\.[*+]\)/.test(pattern) && /[a-z0-9]\$(?:1|\{1\})/.test(template);
  if (!isGlued) return [];
  const message = 'the slash before the group is not put back, so two names grow together';
  return [{ message, fix: 'Write a / before $1.' }];
}

/** What is written out in the replacement must be possible in a name. */
function nameFaults(template: string): readonly Told[] {
  const text = template.replaceAll(/\$\{\w+\}|\$\w+/g, '');
  if (/[^a-z0-9._/\\"-]/.test(text)) {
    const message = 'the replacement makes a name that no repository can have';
    return [{ level: 'error', message, fix: 'Write lower-case letters, digits and . _ - / only.' }];
  }
  if (!/^\/|\/$/.test(template)) return [];
  const message =
    'the slash at the start or the end of the new name is cleaned away in the request';
  return [{ level: 'warn', message, fix: 'Leave it out.' }];
}

function overlaps(registry: string, { rewrites }: Mirror, judged: Judged): readonly K3sNotice[] {
  const patterns = [...rewrites.keys()];
  return patterns.flatMap((pattern, index): K3sNotice[] => {
    const rival = patterns.slice(0, index).find((other) => mayOverlap(other, pattern));
    const at = rewrites.get(pattern)?.at;
    if (rival === undefined || at === undefined) return [];
    const message = `a name may match both ${rival} and ${pattern}; k3s then takes either of them, at random`;
    const fix = 'Write patterns that exclude each other, one for each family of names.';
    return [{ rule: 'K005', registry, origin: originAt(judged, at), message, fix }];
  });
}

/** The registry's own address in the last place is no mirror any more, and is not rewritten. */
function lost(registry: string, mirror: Mirror, judged: Judged): readonly K3sNotice[] {
  const last = mirror.endpoints.at(-1);
  if (mirror.rewrites.size === 0 || last === undefined || registry === '*') return [];
  if (judged.running.settings.noDefaultEndpoint !== undefined) return [];
  const own = endpointAddress(registry, undefined);
  const address = endpointAddress(last.value, undefined);
  if (!own.ok || !address.ok || own.address.url !== address.address.url) return [];
  const message = `${last.value} is ${registry} itself, so it is asked without the rewrites`;
  const { scheme, host } = address.address;
  const isPortless = !/:\d+$/.test(host);
  return [
    {
      rule: 'K005',
      registry,
      level: 'error',
      origin: originAt(judged, last.at),
      message,
      fix: isPortless
        ? `Write ${scheme}://${host}:443, which counts as a mirror.`
        : 'Ask another host.',
    },
  ];
}
