/** `803C…:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/…` */
const OPENSSL = /\bSSL routines:[^:]*:([^:]+):/;
const WRONG_VERSION = 'WRONG_VERSION_NUMBER';

/** Returns what went wrong in words for an error of the TLS layer that says it in its own; undefined for any other. */
export function tlsReason(message: string): string | undefined {
  const [, reason] = OPENSSL.exec(message) ?? [];
  if (reason === undefined) return undefined;
  const name = reason.trim().toUpperCase().replaceAll(' ', '_');
  const hint = name === WRONG_VERSION ? ': the server does not support TLS on this port' : '';
  return `the TLS handshake failed (ERR_SSL_${name})${hint}`;
}
