/**
 * The suites that Go's TLS client offers unless told otherwise, as OpenSSL's list: no key exchange
 * by RSA (since Go 1.22), none by DHE, no 3DES (since Go 1.23). A server with nothing else cannot be
 * reached by containerd, though Node would reach it. SECLEVEL=0: sizes of keys are judged by Go's rules.
 * Source: crypto/tls, defaults.go and cipher_suites.go of Go 1.26.
 */
export const goCiphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  ...['ECDSA', 'RSA'].flatMap((kind) => [
    `ECDHE-${kind}-AES128-GCM-SHA256`,
    `ECDHE-${kind}-AES256-GCM-SHA384`,
    `ECDHE-${kind}-CHACHA20-POLY1305`,
    `ECDHE-${kind}-AES128-SHA`,
    `ECDHE-${kind}-AES256-SHA`,
  ]),
  '@SECLEVEL=0',
].join(':');
