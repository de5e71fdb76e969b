/**
 * A host in the form in which hosts are compared: in lower case, without the port that its scheme has
 * anyway. `('https', 'Harbor.example:443')` → `harbor.example`.
 */
export function hostKey(scheme: string, host: string): string {
  const usual = scheme === 'http' ? /:80$/ : /:443$/;
  return host.toLowerCase().replace(usual, '');
}
