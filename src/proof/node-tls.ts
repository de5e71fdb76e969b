import { getCACertificates } from 'node:tls';
import type { EndpointTrust } from '../mirrors/pull-chain.ts';
import type { TlsRules } from '../registry/client/settings.ts';
import type { Clock } from '../shared/ports.ts';
import { type CertificatePool, readPool } from '../trust/go-x509/authorities.ts';
import { goCiphers } from '../trust/go-x509/go-ciphers.ts';
import { refuseServer } from '../trust/go-x509/refuse-server.ts';

/**
 * How the node's runtime would speak TLS with an endpoint, judged by the rules of Go: containerd is
 * written in it. The node's own authorities are not known here; those of this machine stand for them.
 */
export class NodeTls {
  readonly #clock: Clock;
  #own: CertificatePool | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  rulesFor({ ca, skipVerify }: EndpointTrust): TlsRules {
    let roots: CertificatePool | undefined;
    return {
      ciphers: goCiphers,
      refuse: (host, sent) => {
        roots ??= readPool(
          ca.map(({ pem }) => pem),
          this.#authorities(),
        );
        return refuseServer({ sent, host, roots, now: this.#clock.now(), skipVerify });
      },
    };
  }

  /** Read once: they are some hundred, which takes a tenth of a second. */
  #authorities(): CertificatePool {
    this.#own ??= readPool([...getCACertificates('default'), ...getCACertificates('system')]);
    return this.#own;
  }
}
