import { AddressError, type AddressOptions, readPem } from './address-options.js';

/** What the environment says of a store's TLS, beside its address. */
export interface TlsVariables {
  /** A certificate in PEM, or the path of a file that holds it. */
  ca?: string | undefined;
  /** False: the certificate of the server is not verified. Undefined: nothing is said. */
  rejectUnauthorized?: boolean | undefined;
}

/** How a connection is encrypted, and what the server must show. */
export interface TlsSettings {
  rejectUnauthorized: boolean;
  /** Whether the certificate must be of the host that is asked for. */
  verifyIdentity: boolean;
  ca?: string;
  cert?: string;
  key?: string;
}

/** What one source asks for; undefined: it says nothing. */
export interface TlsWish {
  /** Whether the connection is encrypted. */
  on?: boolean | undefined;
  rejectUnauthorized?: boolean | undefined;
  verifyIdentity?: boolean | undefined;
}

/** The files that an address names. */
export interface TlsFiles {
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
}

/** Takes the certificates that an address names. */
export function takeTlsFiles(options: AddressOptions): TlsFiles {
  const files = {
    ca: options.file('sslca', 'sslcacert', 'sslcacerts', 'sslcafile', 'sslrootcert', 'tlsca', 'tlscafile'),
    cert: options.file('sslcert', 'sslcertfile', 'tlscert', 'tlscertfile'),
    key: options.file('sslkey', 'sslkeyfile', 'tlskey', 'tlskeyfile'),
  };
  if ((files.cert === undefined) !== (files.key === undefined)) {
    throw new AddressError('has a certificate of the client without its key, or the key without it');
  }
  return files;
}

/**
 * Puts together what several sources ask for: a certificate is verified, with its name, unless one of them switches that off.
 * Undefined: the connection is not encrypted.
 * @throws AddressError where one wants encryption, or something that needs it, and another none.
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
  if (isOff && wantsTls) throw new AddressError('asks for TLS, and for none, in one');
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
