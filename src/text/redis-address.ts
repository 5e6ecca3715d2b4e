import { AddressError, readAddressOptions } from './address-options.js';
import {
  settleTls,
  takeTlsFiles,
  type TlsSettings,
  type TlsVariables,
  type TlsWish,
} from './tls-settings.js';

/** Where Redis is, and how it is reached. */
export interface RedisAddress {
  /** Without options. */
  url: string;
  tls: TlsSettings | undefined;
  /** 4 or 6: which addresses of the host's name are used. */
  family: number | undefined;
}

const SUPPORTED =
  'ssl, tls, ssl_cert_reqs, ssl_check_hostname, ssl_ca_certs, ssl_certfile, ssl_keyfile, db, family';

/** Python's words. `optional` would let a server without a certificate pass in silence. */
const CERTIFICATE_WORDS: Record<string, TlsWish> = {
  required: { on: true },
  certrequired: { on: true },
  none: { on: true, rejectUnauthorized: false },
  certnone: { on: true, rejectUnauthorized: false },
};

/**
 * Reads `REDIS_URL`. Every option is honoured or refused: none that asks for encryption is passed over (decision 0033).
 * @throws AddressError that names the option.
 */
export function readRedisAddress(text: string, variables: TlsVariables = {}): RedisAddress {
  const url = new URL(text);
  const isSecure = url.protocol === 'rediss:';
  const options = readAddressOptions(url);
  const files = takeTlsFiles(options);
  const on = options.flag('ssl', 'tls', 'usessl', 'usetls');
  const certificate = options.word(['sslcertreqs', 'sslcertreq'], CERTIFICATE_WORDS) ?? {};
  const verified = options.flag('rejectunauthorized', 'sslrejectunauthorized', 'tlsrejectunauthorized');
  const named = options.flag('sslcheckhostname', 'tlscheckhostname');
  const skipped = options.flag('skipverify', 'insecureskipverify');
  const wishes: TlsWish[] = [
    { on: on ?? (isSecure || undefined) },
    certificate,
    verified === undefined ? {} : { on: true, rejectUnauthorized: verified },
    named === undefined ? {} : { on: true, verifyIdentity: named },
    skipped === undefined ? {} : { on: true, rejectUnauthorized: !skipped },
  ];
  if (isSecure && on === false) throw new AddressError('begins with rediss:, and asks for no TLS');
  const tls = settleTls(wishes, files, isSecure || wishes.some((wish) => wish.on) ? variables : {});
  if (tls === undefined && variables.ca !== undefined) {
    throw new AddressError('does not ask for TLS, but REDIS_TLS_CA is set: use rediss://');
  }
  setDatabase(url, options.text('db'));
  const family = options.word(['family'], { '4': 4, '6': 6, '0': 0 });
  options.flag('allowusernameinuri');
  options.refuseRest(SUPPORTED);
  url.search = '';
  url.protocol = 'redis:';
  return { url: url.href, tls, family };
}

function setDatabase(url: URL, database: string | undefined): void {
  if (database === undefined) return;
  if (!/^\d{1,5}$/.test(database)) throw new AddressError('has "db", which must be a number');
  url.pathname = `/${database}`;
}
