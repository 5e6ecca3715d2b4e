import { readFileSync } from 'node:fs';

/** How many connections a listener keeps open at once. */
export interface ConnectionLimits {
  max: number;
  /** From one address; an IPv6 /64 counts as one. Trusted proxies have no such limit. */
  maxPerAddress: number;
}

/** Enough for one process; each connection costs about 20 KB. */
const MOST = 10_000;
/** File descriptors needed for stores, outgoing requests and files. */
const RESERVED = 256;
/** Assumed limit of open files where the system does not report one. */
const UNKNOWN_OPEN_FILES = 1_024;
/** Fraction of all connections. Not less, because a load balancer missing from TRUSTED_PROXIES is one address. */
const SHARE_OF_AN_ADDRESS = 0.5;

/** Undefined: derived from the limit of open files. */
export type RequestedLimits = { [Key in keyof ConnectionLimits]?: ConnectionLimits[Key] | undefined };

/** Returns the configured limits; a missing one is derived from the limit of open files. */
export function connectionLimits(asked: RequestedLimits, openFiles = maxOpenFiles()): ConnectionLimits {
  const max = asked.max ?? Math.min(MOST, Math.max(Math.floor(openFiles / 2), openFiles - RESERVED));
  return { max, maxPerAddress: asked.maxPerAddress ?? Math.ceil(max * SHARE_OF_AN_ADDRESS) };
}

/** Returns how many files this process may have open; Linux reports it in a file. */
function maxOpenFiles(): number {
  if (process.platform !== 'linux') return UNKNOWN_OPEN_FILES;
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return soft === undefined ? UNKNOWN_OPEN_FILES : Number(soft);
}
