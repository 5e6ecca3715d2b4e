import { AddressError, type AddressOptions } from './address-options.js';
import { splitHosts } from './split-hosts.js';
import { namedTls, readStoreOptions, type StoreAddressOptions, verifiedTls } from './store-address.js';
import { settleTls, type TlsSettings, type TlsVariables, type TlsWish } from './tls-settings.js';

/** The location of a database, and how to connect to it. */
export interface DatabaseAddress {
  /** Without options. */
  uri: string;
  tls: TlsSettings | undefined;
  socketPath: string | undefined;
}

const SUPPORTED =
  'ssl-mode (DISABLED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY), ssl, ssl-ca, ssl-cert, ssl-key, ssl-verify-server-cert, socketPath';

/** `REQUIRED` verifies here: an unverified certificate gives no protection. `PREFERRED` would silently go unencrypted. */
const MODES: Record<string, TlsWish> = {
  disabled: { on: false },
  disable: { on: false },
  required: { on: true },
  require: { on: true },
  verifyca: { on: true, verifyIdentity: false },
  verifyidentity: { on: true },
  verifyfull: { on: true },
};
/** Values of the drivers of Go and of Prisma. */
const TLS_WORDS: Record<string, TlsWish> = {
  true: { on: true },
  false: { on: false },
  skipverify: { on: true, rejectUnauthorized: false },
};
const ACCEPT_WORDS: Record<string, TlsWish> = {
  strict: { on: true },
  acceptinvalidcerts: { on: true, rejectUnauthorized: false },
};

/**
 * Reads `DATABASE_URL`, which may list several hosts; returns an address for each, in their order.
 * @throws AddressError that names the option.
 */
export function readDatabaseAddresses(text: string, variables: TlsVariables = {}): DatabaseAddress[] {
  const addresses = splitHosts(text).map((each) => readDatabaseAddress(each, variables));
  if (addresses.length > 1 && addresses.some(({ socketPath }) => socketPath !== undefined))
    throw new AddressError('has several hosts and "socketPath", which is one place');
  return addresses;
}

/**
 * Reads the address of one host.
 * @throws AddressError that names the option.
 */
export function readDatabaseAddress(text: string, variables: TlsVariables = {}): DatabaseAddress {
  const url = new URL(text.replace(/^(mysql2|mariadb):/, 'mysql:'));
  const read = readStoreOptions(url, SUPPORTED, (given) => {
    const tls = settleTls(takeWishes(given), given.files, variables);
    const socketPath = given.options.text('socketpath', 'socket');
    passOver(given.options);
    return { tls, socketPath };
  });
  return { uri: url.href, ...read };
}

function takeWishes({ options, wish }: StoreAddressOptions): TlsWish[] {
  return [
    options.word(['sslmode', 'tlsmode'], MODES) ?? {},
    options.word(['tls'], TLS_WORDS) ?? {},
    options.word(['sslaccept'], ACCEPT_WORDS) ?? {},
    sslWish(options.text('ssl')),
    wish((on) => ({ on }), 'usessl', 'requiressl', 'requiretls', 'usetls'),
    wish(
      verifiedTls,
      'rejectunauthorized',
      'sslrejectunauthorized',
      'verifyservercertificate',
      'sslverifyservercert',
      'sslverify',
    ),
    wish(namedTls, 'sslverifyidentity', 'verifyidentity'),
  ];
}

/** `ssl=true`, or a value of the driver: an object in JSON. */
function sslWish(text: string | undefined): TlsWish {
  if (text === undefined) return {};
  if (/^(true|1|yes|on)$/i.test(text)) return { on: true };
  if (/^(false|0|no|off)$/i.test(text)) return { on: false };
  const { rejectUnauthorized, verifyIdentity, ...rest } = sslObject(text);
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw new AddressError(`has "ssl" with "${unknown}", which is not supported there`);
  return { on: true, rejectUnauthorized: asFlag(rejectUnauthorized), verifyIdentity: asFlag(verifyIdentity) };
}

function sslObject(text: string): Record<string, unknown> {
  const refused = new AddressError(
    'has "ssl", which must be true, false or an object with rejectUnauthorized; see also ssl-ca',
  );
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch (cause) {
    refused.cause = cause;
  }
  throw refused;
}

function asFlag(value: unknown): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  throw new AddressError('has "ssl" with a value that must be true or false');
}

/** Accepts options that hosting platforms add, if they match what this server does anyway. */
function passOver(options: AddressOptions): void {
  options.flag('reconnect');
  options.word(['charset', 'characterencoding'], {
    utf8mb4: true,
    utf8: true,
    utf8mb4unicodeci: true,
    utf8mb4unicode520ci: true,
    utf8mb4generalci: true,
    utf8mb40900aici: true,
  });
  options.word(['timezone', 'servertimezone'], { z: true, utc: true, '00:00': true, '+00:00': true });
}
