import { type LookupAddress, promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { errorCode } from '../error-code.js';
import { isLocalName } from './local-name.js';
import { createSystemNames, type SystemNames } from './system-names.js';

/** Asks the system for the addresses of a name; rejects with the system's code. */
type SystemLookup = (name: string) => Promise<LookupAddress[]>;

/** Most waiting lookups; reached only if the system does not respond. */
const MOST_WAITING_LOOKUPS = 20;

/** Too many names already wait for the system. */
class LookupsFull extends Error {
  readonly code = 'EAI_AGAIN';

  constructor() {
    super('too many DNS lookups are waiting');
  }
}

/** Timeout of one query to one server, and the number of tries. */
const QUERY_TIMEOUT_MS = 2500;
const TRIES = 2;
/** Timeout of a whole lookup: the same as for connecting. */
const LOOKUP_TIMEOUT_MS = 10_000;
const LOOPBACK = ['127.0.0.1', '::1'];
/** Codes for a name that does not exist, or has no address of this family. */
const ABSENT = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];

/** A name lookup failed; `code` is that of the system's lookup. */
class LookupFailed extends Error {
  constructor(
    name: string,
    readonly code: 'ENOTFOUND' | 'EAI_AGAIN',
    cause?: unknown,
  ) {
    super(`looking up ${name} failed (${code})`, { cause });
  }
}

export type NameLookup = (name: string) => Promise<LookupAddress[]>;

/**
 * Resolves names without the system's lookup, whose few threads are shared: names that are never answered would block
 * all other lookups. The hosts file and the search domains of resolv.conf apply as usual. The system is asked only for
 * names of the local network, which public servers do not know.
 */
export function createNameLookup(
  options: { hosts?: string; resolver?: string; servers?: string[]; system?: SystemLookup } = {},
): NameLookup {
  const { hosts = '/etc/hosts', resolver = '/etc/resolv.conf', servers } = options;
  const { system: askSystem = createSystemLookup() } = options;
  const systemNames = createSystemNames({ hosts, resolver });
  return async (given) => {
    const name = given.toLowerCase().replace(/\.$/, '');
    const system = await systemNames();
    const fixed = system.hosts.get(name) ?? (/(?:^|\.)localhost$/.test(name) ? LOOPBACK : undefined);
    if (fixed !== undefined) return fixed.map(withFamily);
    try {
      return await ask(given.endsWith('.') ? [name] : candidates(name, system), servers);
    } catch (error) {
      if (!isLocalName(name) || errorCode(error) !== 'ENOTFOUND') throw error;
      return await askSystem(name);
    }
  };
}

/** Returns the names to try, in order (resolv.conf(5), ndots). */
function candidates(name: string, { search, ndots }: SystemNames): string[] {
  const longer = search.map((ending) => `${name}.${ending}`);
  return name.split('.').length - 1 >= ndots ? [name, ...longer] : [...longer, name];
}

/** Creates one resolver per lookup: it reads the system's servers anew, and can be cancelled. */
async function ask(names: string[], servers: string[] | undefined): Promise<LookupAddress[]> {
  const resolver = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  let failure: unknown;
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    resolver.cancel();
  }, LOOKUP_TIMEOUT_MS);
  try {
    for (const name of names) {
      const found = await askFor(name, resolver).catch((error: unknown) => {
        failure ??= error;
        return [];
      });
      if (found.length > 0) return found;
      if (isOver) break;
    }
  } finally {
    clearTimeout(timer);
  }
  throw failure ?? new LookupFailed(names.at(-1) ?? '', 'ENOTFOUND');
}

/** Returns IPv4 addresses first: without IPv6 connectivity, the next address is tried only after a while. */
async function askFor(name: string, resolver: dns.Resolver): Promise<LookupAddress[]> {
  const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const failure = results.find(
    (result) => result.status === 'rejected' && !ABSENT.includes(errorCode(result.reason) ?? ''),
  );
  if (found.length > 0 || failure?.status !== 'rejected') return found.map(withFamily);
  throw new LookupFailed(name, 'EAI_AGAIN', failure.reason);
}

function withFamily(address: string): LookupAddress {
  return { address, family: isIP(address) };
}

/**
 * Looks up one name at a time: the system's lookups have two threads, which the connections to stores and mail servers
 * need too.
 */
export function createSystemLookup(): SystemLookup {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async (name) => {
    if (waiting >= MOST_WAITING_LOOKUPS) throw new LookupsFull();
    waiting += 1;
    const before = last;
    const mine = lookupAfter(before, name);
    last = mine.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await mine;
    } finally {
      waiting -= 1;
    }
  };
}

/** `before` never rejects. */
async function lookupAfter(before: Promise<unknown>, name: string): Promise<LookupAddress[]> {
  await before;
  return await dns.lookup(name, { all: true });
}
