import { AddressError, type AddressOptions, readPem } from './address-options.js';

/** TLS settings of a store from environment variables, besides its URL. */
export interface TlsVariables {
  /** A certificate in PEM, or the path of a file that holds it. */
  ca?: string | undefined;
  /** False: the server's certificate is not verified. Undefined: not set. */
  rejectUnauthorized?: boolean | undefined;
}

/** TLS settings of a connection. */
export interface TlsSettings {
  rejectUnauthorized: boolean;
  /** Requires the certificate to match the host name. */
  verifyIdentity: boolean;
  ca?: string;
  cert?: string;
  key?: string;
}

/** The TLS setting of one source; undefined: not set there. */
export interface TlsWish {
  /** True: the connection must be encrypted. */
  on?: boolean | undefined;
  rejectUnauthorized?: boolean | undefined;
  verifyIdentity?: boolean | undefined;
}

/** Texts of the files that a URL names. */
export interface TlsFiles {
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
}

/** Reads the certificates that a URL names. */
export function takeTlsFiles(options: AddressOptions): TlsFiles {
  const files = {
    ca: options.file('sslca', 'sslcacert', 'sslcacerts', 'sslcafile', 'sslrootcert', 'tlsca', 'tlscafile'),
    cert: options.file('sslcert', 'sslcertfile', 'tlscert', 'tlscertfile'),
    key: options.file('sslkey', 'sslkeyfile', 'tlskey', 'tlskeyfile'),
  };
  if ((files.cert === undefined) !== (files.key === undefined)) {
    throw new AddressError('has a client certificate without its key, or a key without its certificate');
  }
  return files;
}

/**
 * Combines what several sources ask for: the certificate and its host name are verified, unless one source disables that.
 * Returns undefined for an unencrypted connection.
 * @throws AddressError if one source asks for encryption, or an option that needs it, and another forbids it.
 */
export function settleTls(
  wishes: readonly TlsWish[],
  files: TlsFiles,
  variables: TlsVariables,
): TlsSettings | undefined {
  const ca = files.ca ?? (variables.ca === undefined ? undefined : readPem(variables.ca, 'the CA variable'));
  const says = [...wishes, { rejectUnauthorized: variables.rejectUnauthorized }];
  const isOff = says.some(({ on }) => on === false);
  const wantsTls =
    says.some((wish) => wish.on ?? (wish.rejectUnauthorized ?? wish.verifyIdentity) !== undefined) ||
    ca !== undefined ||
    files.cert !== undefined;
  if (isOff && wantsTls) throw new AddressError('both asks for TLS and disables it');
  if (!wantsTls) return undefined;
  const rejectUnauthorized = says.every((wish) => wish.rejectUnauthorized !== false);
  return {
    rejectUnauthorized,
    verifyIdentity: rejectUnauthorized && says.every((wish) => wish.verifyIdentity !== false),
    ...(ca !== undefined && { ca }),
    ...(files.cert !== undefined && { cert: files.cert }),
    ...(files.key !== undefined && { key: files.key }),
  };
}
