import { resolve } from 'node:path';
import type { Side } from '../content/ports.ts';
import {
  type CredentialsReference,
  pathBeside,
  type TrustReference,
} from '../documents/registry-access.ts';
import { openRegistry } from '../registry/client/open-registry.ts';
import type { Registry } from '../registry/client/registry.ts';
import { type ClientSettings, defaultClientSettings } from '../registry/client/settings.ts';
import { readTlsTrust } from '../trust/certificate-files.ts';
import { fileCredentials } from '../trust/credential-file.ts';
import { spawnedCredentialHelper } from '../trust/credential-helper.ts';
import { anonymous, userCredentials } from '../trust/credential-sources.ts';
import type { CredentialSource, TlsTrust } from '../trust/ports.ts';
import type { CommandContext } from './command.ts';
import { readVersion } from './version.ts';

/** A registry as a document describes it; paths start at the document's folder. */
export interface DescribedRegistry {
  /** The logical name, for messages and logins. */
  readonly name: string;
  readonly url: string;
  readonly documentFile: string;
  /** Which end of the work it is, for messages. */
  readonly side: Side;
  readonly trust?: TrustReference | undefined;
  readonly credentials?: CredentialsReference | undefined;
}

/** How this program speaks with registries: its clock, its name, the proxies of the environment. */
export async function clientSettings(context: CommandContext): Promise<ClientSettings> {
  const { clock, random, environment } = context;
  const { http, https, except } = environment.proxies;
  const proxy = {
    ...(http !== undefined && { http }),
    ...(https !== undefined && { https }),
    ...(except !== undefined && { noProxy: except }),
  };
  const userAgent = `slipway/${await readVersion()}`;
  return defaultClientSettings({ clock, random, userAgent, proxy });
}

/** Opens registries as documents describe them, and closes all of them in the end. */
export class RegistryOpener implements AsyncDisposable {
  readonly #context: CommandContext;
  readonly #settings: ClientSettings;
  readonly #opened = new Map<string, Registry>();

  private constructor(context: CommandContext, settings: ClientSettings) {
    this.#context = context;
    this.#settings = settings;
  }

  static async create(context: CommandContext): Promise<RegistryOpener> {
    return new RegistryOpener(context, await clientSettings(context));
  }

  /** The same registry is opened once, so that connections, logins and pace are shared. */
  async open(described: DescribedRegistry): Promise<Registry> {
    const key = JSON.stringify(described);
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const { name, url, documentFile, side } = described;
    const trust = await this.#trust(documentFile, described.trust);
    const credentials = this.#credentials(documentFile, described.credentials);
    if (trust.skipVerify === true) {
      this.#context.terminal.say(`warning: certificates of ${name} are not checked`);
    }
    const registry = openRegistry({ name, url, trust, credentials, side }, this.#settings);
    this.#opened.set(key, registry);
    return registry;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#opened.values()].map((registry) => registry.close()));
  }

  #trust(documentFile: string, trust: TrustReference | undefined): Promise<TlsTrust> {
    const path = (name: string | undefined) =>
      name === undefined ? undefined : this.#path(documentFile, name);
    return readTlsTrust({
      ca: path(trust?.ca),
      clientCertificate: path(trust?.clientCertificate),
      clientKey: path(trust?.clientKey),
      skipVerify: trust?.insecureSkipVerify,
    });
  }

  #credentials(
    documentFile: string,
    reference: CredentialsReference | undefined,
  ): CredentialSource {
    const { loginFiles, variables } = this.#context.environment;
    if (reference?.file !== undefined) {
      return fileCredentials(this.#path(documentFile, reference.file));
    }
    if (reference?.dockerConfig !== true) return anonymous;
    return userCredentials(loginFiles, spawnedCredentialHelper({ environment: variables }));
  }

  #path(documentFile: string, path: string): string {
    return resolve(this.#context.environment.cwd, pathBeside(documentFile, path));
  }
}
