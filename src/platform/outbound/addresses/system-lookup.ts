import { type LookupAddress, promises as dns } from 'node:dns';

/** Asks the system for the addresses of a name; rejects with the system's code. */
export type SystemLookup = (name: string) => Promise<LookupAddress[]>;

/** Most waiting lookups; reached only if the system does not respond. */
const MOST_WAITING = 20;

/** Too many names already wait for the system. */
class LookupsFull extends Error {
  readonly code = 'EAI_AGAIN';

  constructor() {
    super('too many DNS lookups are waiting');
  }
}

/**
 * Looks up one name at a time: the system's lookups have two threads, which the connections to stores and mail servers
 * need too.
 */
export function createSystemLookup(): SystemLookup {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async (name) => {
    if (waiting >= MOST_WAITING) throw new LookupsFull();
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
