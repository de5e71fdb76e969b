import { defineError } from '../shared/errors.ts';

export const CertificateHostInvalid = defineError<{ host: string }>({
  code: 'CERTIFICATE_HOST_INVALID',
  category: 'input',
  message: (d) => `a certificate cannot be made for ${JSON.stringify(d.host)}`,
  fix: () => 'Give DNS names (also *.name), IPv4 or IPv6 addresses, without scheme, port or path.',
  retry: false,
});

export const CertificateUnreadable = defineError<{ label: string }>({
  code: 'CERTIFICATE_UNREADABLE',
  category: 'input',
  message: (d) => `${d.label} holds no readable PEM certificate`,
  fix: (d) => `Look at it with: openssl x509 -in ${d.label} -noout -text`,
  retry: false,
});

export const AuthorityUnusable = defineError<{ because: string }>({
  code: 'AUTHORITY_UNUSABLE',
  category: 'input',
  message: (d) => `the certificate authority cannot sign: ${d.because}`,
  fix: () =>
    'Give a certificate with CA:TRUE that has not expired, and the key that belongs to it.',
  retry: false,
});

export const TrustFileUnreadable = defineError<{ what: string; path: string }>({
  code: 'TRUST_FILE_UNREADABLE',
  category: 'local',
  message: (d) => `the ${d.what} ${d.path} cannot be read`,
  fix: (d) => `Check that ${d.path} exists and that this user may read it.`,
  retry: false,
});

export const HtpasswdInvalid = defineError<{ file: string; line: number; because: string }>({
  code: 'HTPASSWD_INVALID',
  category: 'input',
  message: (d) => `${d.file}:${d.line}  ${d.because}`,
  fix: (d) => `Write the line again with bcrypt: htpasswd -B ${d.file} USER`,
  retry: false,
});

export const DockerConfigInvalid = defineError<{ path: string; because: string }>({
  code: 'DOCKER_CONFIG_INVALID',
  category: 'input',
  message: (d) => `${d.path} is not a usable registry login file: ${d.because}`,
  fix: () => 'Log in again (docker login, podman login), or repair the file.',
  retry: false,
});

export const CredentialHelperMissing = defineError<{ helper: string; registry: string }>({
  code: 'CREDENTIAL_HELPER_MISSING',
  category: 'local',
  message: (d) => `the login for ${d.registry} is kept by ${d.helper}, which is not on the PATH`,
  fix: (d) =>
    `Install ${d.helper}, or take it out of "credHelpers" and "credsStore" and log in again.`,
  retry: false,
});

export const CredentialHelperFailed = defineError<{
  helper: string;
  registry: string;
  because: string;
}>({
  code: 'CREDENTIAL_HELPER_FAILED',
  category: 'local',
  message: (d) => `${d.helper} gave no login for ${d.registry}: ${d.because}`,
  fix: (d) => `Try it by hand: echo ${d.registry} | ${d.helper} get`,
  retry: false,
});

export const CredentialFileInvalid = defineError<{ path: string; because: string }>({
  code: 'CREDENTIAL_FILE_INVALID',
  category: 'input',
  message: (d) => `the credential file ${d.path} is not usable: ${d.because}`,
  fix: () =>
    'Write the two lines username=NAME and password=PASSWORD, or a folder with the files username and password.',
  retry: false,
});
