import { AddressError } from './address-options.js';
import { namedTls, readStoreOptions, type StoreOptions, verifiedTls } from './store-address.js';
import { settleTls, type TlsSettings, type TlsVariables, type TlsWish } from './tls-settings.js';

/** The location of Redis, and how to connect to it. */
export interface RedisAddress {
  /** Without options. */
  url: string;
  tls: TlsSettings | undefined;
  /** IP version of the host's addresses to use: 4 or 6. */
  family: number | undefined;
}

const SUPPORTED =
  'ssl, tls, ssl_cert_reqs, ssl_check_hostname, ssl_ca_certs, ssl_certfile, ssl_keyfile, db, family';

/** Python's values. `optional` would silently accept a server without a certificate. */
const CERTIFICATE_WORDS: Record<string, TlsWish> = {
  required: { on: true },
  certrequired: { on: true },
  none: { on: true, rejectUnauthorized: false },
  certnone: { on: true, rejectUnauthorized: false },
};

/**
 * Reads `REDIS_URL`.
 * @throws AddressError that names the option.
 */
export function readRedisAddress(text: string, variables: TlsVariables = {}): RedisAddress {
  const url = new URL(text);
  const read = readStoreOptions(url, SUPPORTED, (given) => {
    const tls = takeTls(given, url.protocol === 'rediss:', variables);
    setDatabase(url, given.options.text('db'));
    const family = given.options.word(['family'], { '4': 4, '6': 6, '0': 0 });
    given.options.flag('allowusernameinuri');
    return { tls, family };
  });
  url.protocol = 'redis:';
  return { url: url.href, ...read };
}

function takeTls(
  { options, files, wish }: StoreOptions,
  isSecure: boolean,
  variables: TlsVariables,
): TlsSettings | undefined {
  const on = options.flag('ssl', 'tls', 'usessl', 'usetls');
  if (isSecure && on === false) throw new AddressError('begins with rediss:, but disables TLS');
  const wishes: TlsWish[] = [
    { on: on ?? (isSecure || undefined) },
    options.word(['sslcertreqs', 'sslcertreq'], CERTIFICATE_WORDS) ?? {},
    wish(verifiedTls, 'rejectunauthorized', 'sslrejectunauthorized', 'tlsrejectunauthorized'),
    wish(namedTls, 'sslcheckhostname', 'tlscheckhostname'),
    wish((skipped) => verifiedTls(!skipped), 'skipverify', 'insecureskipverify'),
  ];
  const tls = settleTls(wishes, files, isSecure || wishes.some((said) => said.on) ? variables : {});
  if (tls === undefined && variables.ca !== undefined) {
    throw new AddressError('does not ask for TLS, but REDIS_TLS_CA is set: use rediss://');
  }
  return tls;
}

function setDatabase(url: URL, database: string | undefined): void {
  if (database === undefined) return;
  if (!/^\d{1,5}$/.test(database)) throw new AddressError('has "db", which must be a number');
  url.pathname = `/${database}`;
}
