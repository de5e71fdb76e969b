/** A model of pulls: whatever passes the check, no node gets another image than the one it asks for. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type Digest, digestOf } from '../oci/digest.ts';
import { formatReference, parseReference } from '../oci/reference.ts';
import { PublishCollision } from './errors.ts';
import { checkPublication } from './publication.ts';
import { type NamingRegistry, type PublishableImage, publishedNames } from './published-names.ts';
import type { Layout } from './site.ts';

const layouts: Layout[] = ['keep-path', 'flat', 'keep-host', 'projects'];

const part = fc.constantFrom('a', 'b', 'quay.io', 'h_1', 'x-y', 'z');
const upstream = fc.constantFrom('docker.io', 'quay.io', 'h:1', '[::1]:80', '0--1:80');
const anyImage = fc
  .record({
    domain: upstream,
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    tag: fc.constantFrom('1', '2', undefined),
    content: fc.constantFrom('one', 'two'),
    className: fc.constantFrom('c', 'd'),
    flatName: fc.constantFrom(undefined, 'a', 'z/b'),
  })
  .map(({ domain, parts, tag, content, className, flatName }): PublishableImage => {
    const end = tag === undefined ? `@${digestOf(content)}` : `:${tag}`;
    const reference = parseReference(`${domain}/${parts.join('/')}${end}`);
    return { kind: 'image', reference, class: className, flatName, target: digestOf(content) };
  });
const anyRegistry = fc.record({
  address: fc.constantFrom('h', 'h/a', 'h/a/b', 'i:5000/z'),
  publish: fc.uniqueArray(fc.constantFrom(...layouts), { minLength: 1 }),
  projects: fc.constantFrom(
    { c: 'p', d: 'p' },
    { c: 'p', d: 'q', 'docker.io': 'a' },
    { c: 'p', d: 'q/r', 'quay.io/a': 'a/b' },
  ),
});

const anyImages = fc.uniqueArray(anyImage, {
  selector: ({ reference }) => formatReference(reference),
  maxLength: 5,
});
const anyRegistries = fc.array(anyRegistry, { minLength: 1, maxLength: 2 });

/** Everything that lies in the registries under a tag: `h/a/x/y`, `1` and a digest. */
function contentOf(images: readonly PublishableImage[], registries: readonly NamingRegistry[]) {
  return registries.flatMap((registry) =>
    images.flatMap((image) =>
      publishedNames(image, registry).names.map(({ layouts: by, repository, tag }) => ({
        repository: `${registry.address.split('/')[0]}/${repository}`,
        isRedirected: by.some((layout) => layout !== 'flat'),
        tag,
        image,
      })),
    ),
  );
}

/** What a node asks for when a rule sends an upstream to a repository, and what it is given. */
function pullsOf(content: ReturnType<typeof contentOf>) {
  return content
    .filter(({ isRedirected }) => isRedirected)
    .flatMap(({ repository, image: { reference } }) => {
      const { domain, path } = reference;
      const there = content.filter((one) => one.repository === repository && one.tag);
      return there.map(({ tag = '', image }) => {
        return { asked: formatReference({ domain, path, tag }), got: image.target };
      });
    });
}

test('what is published leads no node to another image than it asks for (R0-53)', () => {
  let checked = 0;
  fc.assert(
    fc.property(anyImages, anyRegistries, (images, registries) => {
      if (!isPublishable(images, registries)) return;
      const locked = new Map(
        images.map(({ reference, target }) => [formatReference(reference), target]),
      );
      for (const { asked, got } of pullsOf(contentOf(images, registries))) {
        assert.equal(got, locked.get(asked), asked);
        checked += 1;
      }
    }),
    { numRuns: 1000 },
  );
  assert.ok(checked > 500);
});

test('one published name has one digest, in whatever layouts', () => {
  fc.assert(
    fc.property(anyImages, anyRegistries, (images, registries) => {
      if (!isPublishable(images, registries)) return;
      const seen = new Map<string, Digest>();
      for (const { repository, tag, image } of contentOf(images, registries)) {
        if (tag === undefined) continue;
        const name = `${repository}:${tag}`;
        assert.equal(seen.get(name) ?? image.target, image.target, name);
        seen.set(name, image.target);
      }
    }),
    { numRuns: 500 },
  );
});

function isPublishable(
  images: readonly PublishableImage[],
  registries: readonly NamingRegistry[],
): boolean {
  try {
    checkPublication(
      images,
      Object.fromEntries(registries.map((one, index) => [`r${index}`, one])),
    );
    return true;
  } catch (error) {
    assert.ok(error instanceof PublishCollision);
    return false;
  }
}
