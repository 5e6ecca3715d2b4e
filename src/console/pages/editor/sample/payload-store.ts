import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/** A payload that a browser keeps under a name, as JSON text. */
export interface SavedPayload {
  name: string;
  text: string;
}

/** Whose payloads, of which story. */
export interface PayloadPlace {
  owner: string;
  storyId: number;
}

interface Schema extends DBSchema {
  payloads: {
    key: [owner: string, storyId: number, name: string];
    value: SavedPayload & PayloadPlace;
  };
}

let opened: Promise<IDBPDatabase<Schema>> | undefined;

/** @throws DOMException where the browser lets pages store nothing. */
function database(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>('fabula-samples', 1, {
    upgrade: (db) => void db.createObjectStore('payloads', { keyPath: ['owner', 'storyId', 'name'] }),
  });
  return opened;
}

/** Returns the payloads of a person for a story, by name. @throws DOMException. */
export async function savedPayloads({ owner, storyId }: PayloadPlace): Promise<SavedPayload[]> {
  // A list is greater than every text, so this is the range of all names.
  const range = IDBKeyRange.bound([owner, storyId], [owner, storyId, []]);
  const found = await (await database()).getAll('payloads', range);
  return found.map(({ name, text }) => ({ name, text }));
}

/** Returns how many payloads a person has kept. @throws DOMException. */
export async function countPayloads(owner: string): Promise<number> {
  return (await database()).count('payloads', ofOwner(owner));
}

/** Forgets all payloads of a person. @throws DOMException. */
export async function forgetAllPayloads(owner: string): Promise<void> {
  await (await database()).delete('payloads', ofOwner(owner));
}

/** A list is greater than every number. */
const ofOwner = (owner: string) => IDBKeyRange.bound([owner], [owner, []]);

/** Keeps a payload in place of one with the same name. @throws DOMException. */
export async function savePayload(place: PayloadPlace, payload: SavedPayload): Promise<void> {
  await (await database()).put('payloads', { ...place, ...payload });
}

/** Forgets a payload. @throws DOMException. */
export async function forgetPayload({ owner, storyId }: PayloadPlace, name: string): Promise<void> {
  await (await database()).delete('payloads', [owner, storyId, name]);
}
