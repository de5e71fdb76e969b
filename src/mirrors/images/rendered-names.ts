/** Names that a template made with the address of the Site's registry: `{{ .repo }}openssl:1`. */

import type { NameFinding } from '../names/lint-image-name.ts';
import type { KnownImage, KnownImages } from './known-images.ts';

/** A name in two parts, between which the slash belongs. */
interface Rendered {
  /** `harbor.example/platform`. */
  readonly project: string;
  /** `openssl`. */
  readonly rest: string;
  /** False where the Site publishes the image under other names only. */
  readonly isPublished: boolean;
  readonly image: KnownImage;
}

/** The names that templates may make of the images of a Lock, right and wrong ones. */
export class RenderedNames {
  readonly #published: ReadonlySet<string>;
  readonly #slashless = new Map<string, Rendered>();
  readonly #unpublished = new Map<string, Rendered>();

  constructor({ images, projects }: KnownImages) {
    this.#published = new Set(images.flatMap(namesOf));
    for (const image of images) {
      for (const project of image.published === undefined ? [] : projects) {
        for (const one of renderedIn(project, image)) this.#add(one);
      }
    }
  }

  #add(one: Rendered): void {
    const { project, rest, isPublished } = one;
    // What is published wins over what could be.
    if (isPublished || !this.#slashless.has(project + rest)) {
      this.#slashless.set(project + rest, one);
    }
    const name = `${project}/${rest}`;
    if (!this.#published.has(name)) this.#unpublished.set(name, one);
  }

  /**
   * `harbor.example/platformopenssl:1` → I004; `harbor.example/platform/openssl:1`, where only
   * `platform/library/openssl` is published → I002; undefined for all other names.
   */
  findingFor(text: string): NameFinding | undefined {
    const repository = repositoryOf(text);
    if (this.#published.has(repository)) return undefined;
    const slashless = this.#slashless.get(repository);
    if (slashless !== undefined) return missingSlash(slashless, text.slice(repository.length));
    const unpublished = this.#unpublished.get(repository);
    return unpublished && notPublished(unpublished, repository);
  }
}

function missingSlash({ project, rest, isPublished }: Rendered, end: string): NameFinding {
  const right = `${project}/${rest}${end}`;
  return {
    rule: 'I004',
    message: `there is no slash between ${project} and ${rest}: repo was put before the name without one`,
    fix: `Write ${right}; the value of repo ends with a slash: ${project}/`,
    ...(isPublished && { instead: right }),
  };
}

function notPublished({ image }: Rendered, repository: string): NameFinding {
  const there = namesOf(image);
  const names = there.length === 0 ? 'under no name' : `as ${there.join(' and ')}`;
  return {
    rule: 'I002',
    message: `the Site publishes ${image.name} ${names}, and not as ${repository}`,
    fix: 'Write a name that is published, or publish this one too: publish: [keep-path, flat] in the Site, then load again.',
  };
}

/** As it is written, without tag and digest. */
function repositoryOf(text: string): string {
  return text.replace(/(?::[^/:@]*)?(?:@.*)?$/, '');
}

function namesOf({ published = [] }: KnownImage): readonly string[] {
  return published.map(({ host, repository }) => `${host}/${repository}`);
}

/** What is published in a project, and the name that a template gives there in any case. */
function renderedIn(project: string, image: KnownImage): readonly Rendered[] {
  const start = `${project}/`;
  const names = namesOf(image);
  const rests = names.filter((name) => name.startsWith(start));
  const published = rests.map((name) => {
    return { project, rest: name.slice(start.length), isPublished: true, image };
  });
  const rest = shortName(image);
  return [...published, { project, rest, isPublished: names.includes(start + rest), image }];
}

function shortName({ reference: { path } }: KnownImage): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
