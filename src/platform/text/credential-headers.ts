/** Headers by which callers prove who they are, to us or to whoever stands before us; in lower case. */
export const CREDENTIAL_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-user-token',
  'x-service-signature',
]);
