import { AddressError } from './address-options.js';
import { namesSeveral, type RedisNode, type SeveralServers, splitServers } from './redis-topology.js';
import { namedTls, readStoreOptions, type StoreAddressOptions, verifiedTls } from './store-address.js';
import { settleTls, type TlsSettings, type TlsVariables, type TlsWish } from './tls-settings.js';

/** How to encrypt, and which addresses to use. */
interface Reaching {
  tls: TlsSettings | undefined;
  /** IP version of the hosts' addresses to use: 4 or 6. */
  family: number | undefined;
}

interface Account {
  username: string | undefined;
  password: string | undefined;
}

/** One Redis. */
export interface LoneAddress extends Reaching {
  topology: 'lone';
  /** Without options. */
  url: string;
}

/** A Redis Cluster; the other servers are learnt from those that are named. */
export interface ClusterAddress extends Reaching, Account {
  topology: 'cluster';
  nodes: RedisNode[];
}

/** Redis servers that sentinels watch. */
export interface SentinelAddress extends Reaching, Account {
  topology: 'sentinel';
  /** The sentinels. */
  nodes: RedisNode[];
  /** The name by which the sentinels know the master. */
  master: string;
  database: number;
  /** The sentinels' own account, and whether they take TLS. */
  sentinel: Account & { tls: boolean };
}

/** The location of Redis, and how to connect to it. */
export type RedisAddress = LoneAddress | ClusterAddress | SentinelAddress;

const COMMON =
  'ssl, tls, ssl_cert_reqs, ssl_check_hostname, ssl_ca_certs, ssl_certfile, ssl_keyfile, db, family';
const OF_SENTINELS = `${COMMON}, sentinel_username, sentinel_password, sentinel_tls`;

/** Python's values. `optional` would silently accept a server without a certificate. */
const CERTIFICATE_WORDS: Record<string, TlsWish> = {
  required: { on: true },
  certrequired: { on: true },
  none: { on: true, rejectUnauthorized: false },
  certnone: { on: true, rejectUnauthorized: false },
};

/**
 * Reads `REDIS_URL`: of one Redis, of a cluster (`redis+cluster://`) or of sentinels (`redis+sentinel://`).
 * @throws AddressError that names the option, or says what is wrong with the address.
 */
export function readRedisAddress(text: string, variables: TlsVariables = {}): RedisAddress {
  if (!namesSeveral(text)) return readLone(new URL(text), variables);
  const servers = splitServers(text);
  return servers.topology === 'cluster' ? readCluster(servers, variables) : readSentinels(servers, variables);
}

/** Returns the hosts that an address of Redis names, and its password. @throws AddressError if it is not valid. */
export function namedIn(text: string): { hosts: string[]; password: string } {
  if (namesSeveral(text)) {
    const { nodes, password = '' } = splitServers(text);
    return { hosts: nodes.map(({ host }) => host), password };
  }
  const { hostname, password } = new URL(text);
  return { hosts: [hostname.replace(/^\[|\]$/g, '')], password };
}

function readLone(url: URL, variables: TlsVariables): LoneAddress {
  const read = readStoreOptions(url, COMMON, (given) => {
    const reaching = takeReaching(given, url.protocol === 'rediss:', variables);
    const database = takeDatabase(given);
    if (database !== undefined) url.pathname = `/${database}`;
    given.options.flag('allowusernameinuri');
    return reaching;
  });
  url.protocol = 'redis:';
  return { topology: 'lone', url: url.href, ...read };
}

function readCluster(servers: SeveralServers, variables: TlsVariables): ClusterAddress {
  const { nodes, username, password, path, url } = servers;
  const read = readStoreOptions(url, COMMON, (given) => {
    const database = takeDatabase(given) ?? path;
    if (!['', '0'].includes(database)) throw new AddressError('names a database, but a cluster has only 0');
    return takeReaching(given, url.protocol === 'rediss:', variables);
  });
  return { topology: 'cluster', nodes, username, password, ...read };
}

const MASTER = /^[\w.-]{1,100}$/;

function readSentinels(servers: SeveralServers, variables: TlsVariables): SentinelAddress {
  const { nodes, username, password, path: master, url } = servers;
  if (!MASTER.test(master)) {
    throw new AddressError('must end with the name of the master: redis+sentinel://a,b,c/mymaster');
  }
  const read = readStoreOptions(url, OF_SENTINELS, (given) => {
    const reaching = takeReaching(given, url.protocol === 'rediss:', variables);
    const isSecure = reaching.tls !== undefined;
    const tls = given.options.flag('sentineltls') ?? isSecure;
    if (tls && !isSecure) throw new AddressError('has "sentinel_tls", but does not begin with rediss+');
    const sentinel = {
      username: given.options.text('sentinelusername'),
      password: given.options.text('sentinelpassword'),
      tls,
    };
    return { ...reaching, database: Number(takeDatabase(given) ?? 0), sentinel };
  });
  return { topology: 'sentinel', nodes, username, password, master, ...read };
}

function takeReaching(given: StoreAddressOptions, isSecure: boolean, variables: TlsVariables): Reaching {
  const tls = takeTls(given, isSecure, variables);
  return { tls, family: given.options.word(['family'], { '4': 4, '6': 6, '0': 0 }) };
}

function takeTls(
  { options, files, wish }: StoreAddressOptions,
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

function takeDatabase({ options }: StoreAddressOptions): string | undefined {
  const database = options.text('db');
  if (database !== undefined && !/^\d{1,5}$/.test(database)) {
    throw new AddressError('has "db", which must be a number');
  }
  return database;
}
