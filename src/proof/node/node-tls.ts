import type { EndpointTrust } from '../../mirrors/pull-chain.ts';
import type { TlsRules } from '../../registry/client/settings.ts';
import type { Clock } from '../../shared/ports.ts';
import { type CertificatePool, readPool } from '../../trust/go-x509/authorities.ts';
import { goCiphers } from '../../trust/go-x509/go-ciphers.ts';
import { refuseServer } from '../../trust/go-x509/refuse-server.ts';
import type { NodeAuthorities } from './node-authorities.ts';

/**
 * How the node's runtime would speak TLS with an endpoint, judged by the rules of Go: containerd is
 * written in it.
 */
export class NodeTls {
  readonly #clock: Clock;
  readonly #authorities: NodeAuthorities;
  #own: CertificatePool | undefined;

  /** `authorities` are believed everywhere; the `ca` files of an endpoint come on top of them. */
  constructor(clock: Clock, authorities: NodeAuthorities) {
    this.#clock = clock;
    this.#authorities = authorities;
  }

  rulesFor({ ca, skipVerify }: EndpointTrust): TlsRules {
    let roots: CertificatePool | undefined;
    return {
      ciphers: goCiphers,
      refuse: (host, sent) => {
        roots ??= readPool(
          ca.map(({ pem }) => pem),
          this.#ownPool(),
        );
        return refuseServer({ sent, host, roots, now: this.#clock.now(), skipVerify });
      },
    };
  }

  /** Read once: they are some hundred, which takes a tenth of a second. */
  #ownPool(): CertificatePool {
    this.#own ??= readPool(this.#authorities.pems);
    return this.#own;
  }
}
