/** Headers that authenticate a client, to us or to a proxy in front of us; in lower case. */
export const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-user-token',
  'x-service-signature',
]);
