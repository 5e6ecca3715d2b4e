import { AddressError } from './address-options.js';
import { splitHosts } from './split-hosts.js';

/** A server of Redis, or a sentinel. */
export interface RedisNode {
  /** A name or an IP address, without brackets. */
  host: string;
  port: number;
}

/** How the servers behind an address work together: alone, as a cluster, or watched by sentinels. */
export type RedisTopology = 'lone' | 'cluster' | 'sentinel';

/** An address that names several servers, taken apart. */
export interface SeveralServers {
  topology: Exclude<RedisTopology, 'lone'>;
  nodes: RedisNode[];
  /** User and password of Redis; undefined: none is given. */
  username: string | undefined;
  password: string | undefined;
  /** The text after the first slash behind the hosts. */
  path: string;
  /** The address with its first server alone: it has the scheme `redis:` or `rediss:`, and the options. */
  url: URL;
}

const PARTS = /^(rediss?)\+(cluster|sentinel):\/\/(?:([^/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(\?[^#]*)?$/i;
const SEVERAL = /^rediss?\+(?:cluster|sentinel):/i;
const DEFAULT_PORTS = { cluster: 6379, sentinel: 26_379 };

/** Returns true if the address is one of a cluster or of sentinels. */
export function namesSeveral(address: string): boolean {
  return SEVERAL.test(address);
}

/**
 * Takes an address of a cluster or of sentinels apart: `redis+cluster://user:pass@a:7000,b,c`. A host without a port has the
 * usual one, 6379 or 26379.
 * @throws AddressError that says what is wrong, without a part of the address.
 */
export function splitServers(address: string): SeveralServers {
  const places = splitHosts(address).map((each) => PARTS.exec(each));
  const [, scheme = '', kind = '', user, , path = '', query = ''] = places[0] ?? [];
  if (scheme === '') {
    throw new AddressError('is not a valid address; encode / ? # in a password as %2F %3F %23');
  }
  const topology = kind.toLowerCase() === 'cluster' ? 'cluster' : 'sentinel';
  return {
    topology,
    nodes: places.map((parts, index) => nodeOf(parts?.[4] ?? '', index, DEFAULT_PORTS[topology])),
    ...accountIn(user),
    path: decoded(path),
    url: new URL(`${scheme.toLowerCase()}://host${query}`),
  };
}

function nodeOf(text: string, index: number, defaultPort: number): RedisNode {
  const [, bracketed, plain, port] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]@]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  const number = port === undefined ? defaultPort : Number(port);
  if (host === undefined || number < 1 || number > 65_535) {
    throw new AddressError(`has a wrong server at place ${index + 1}: expected host or host:port`);
  }
  return { host, port: number };
}

function accountIn(text: string | undefined): Pick<SeveralServers, 'username' | 'password'> {
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || text === '') return { username: undefined, password: undefined };
  if (colon < 0) return { username: decoded(text), password: undefined };
  return { username: decoded(text.slice(0, colon)) || undefined, password: decoded(text.slice(colon + 1)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AddressError('has a % that is not followed by two hexadecimal digits; encode % itself as %25');
  }
}
