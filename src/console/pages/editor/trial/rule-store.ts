import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { PayloadPlace } from '../sample/payload-store.js';
import type { RequestRule } from './trial-request.js';

/** The most characters of rules that a browser keeps for one story. */
export const MOST_KEPT = 256 * 1024;

interface Schema extends DBSchema {
  rules: {
    key: [owner: string, storyId: number];
    value: PayloadPlace & { rules: readonly RequestRule[] };
  };
}

let opened: Promise<IDBPDatabase<Schema>> | undefined;

/** @throws DOMException where the browser lets pages store nothing. */
function database(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>('fabula-rules', 1, {
    upgrade: (db) => void db.createObjectStore('rules', { keyPath: ['owner', 'storyId'] }),
  });
  return opened;
}

/** Returns the rules of a person for a story; none by default. @throws DOMException. */
export async function keptRules({ owner, storyId }: PayloadPlace): Promise<readonly RequestRule[]> {
  return (await (await database()).get('rules', [owner, storyId]))?.rules ?? [];
}

/** Forgets all rules of a person. @throws DOMException. */
export async function forgetAllRules(owner: string): Promise<void> {
  // A list is greater than every number.
  await (await database()).delete('rules', IDBKeyRange.bound([owner], [owner, []]));
}

/** Keeps rules in place of those before. Returns false if they are too long: then those before are forgotten. @throws DOMException. */
export async function keepRules(place: PayloadPlace, rules: readonly RequestRule[]): Promise<boolean> {
  const isShort = JSON.stringify(rules).length <= MOST_KEPT;
  const db = await database();
  if (isShort && rules.length > 0) await db.put('rules', { ...place, rules });
  else await db.delete('rules', [place.owner, place.storyId]);
  return isShort;
}
