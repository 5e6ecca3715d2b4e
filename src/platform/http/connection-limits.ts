import { readFileSync } from 'node:fs';

/** How many connections a listener holds at once. */
export interface ConnectionLimits {
  max: number;
  /** From one address; an IPv6 /64 counts as one. Proxies that are trusted have no such limit. */
  maxPerAddress: number;
}

/** Enough for one process; each connection costs some 20 KB. */
const MOST = 10_000;
/** Descriptors that stores, outgoing requests and files need. */
const RESERVED = 256;
/** Where the system does not say how many files may be open. */
const UNKNOWN_OPEN_FILES = 1_024;
/** Of all connections: a balancer that is not named in TRUSTED_PROXIES is one address. */
const SHARE_OF_AN_ADDRESS = 0.5;

/** Undefined: what the limit of open files allows. */
export type AskedLimits = { [Key in keyof ConnectionLimits]?: ConnectionLimits[Key] | undefined };

/** The limits that were asked for; where none was, what the limit of open files allows. */
export function connectionLimits(asked: AskedLimits, openFiles = maxOpenFiles()): ConnectionLimits {
  const max = asked.max ?? Math.min(MOST, Math.max(Math.floor(openFiles / 2), openFiles - RESERVED));
  return { max, maxPerAddress: asked.maxPerAddress ?? Math.ceil(max * SHARE_OF_AN_ADDRESS) };
}

/** How many files this process may have open; Linux says so in a file. */
function maxOpenFiles(): number {
  if (process.platform !== 'linux') return UNKNOWN_OPEN_FILES;
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return soft === undefined ? UNKNOWN_OPEN_FILES : Number(soft);
}
