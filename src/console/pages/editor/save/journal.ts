import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Changes } from '../../../story-model/draft-changes.js';
import { parseExact } from '../../../text/exact-json.js';

/** Changes that a browser keeps until the server has them. */
export interface KeptChanges {
  /** Whose changes, of which story, in which tab. */
  tab: string;
  owner: string;
  /** The story or the draft. */
  storyId: number;
  /** Milliseconds since 1970. */
  at: number;
  changes: Changes;
}

interface Schema extends DBSchema {
  journals: {
    key: string;
    /** The changes are JSON text, since a clone would lose the digits of long numbers. */
    value: Omit<KeptChanges, 'changes'> & { changes: string };
    indexes: { place: [owner: string, storyId: number] };
  };
}

/** A journal of nobody's for so long is thrown away when another one opens. */
const KEPT_FOR_MS = 30 * 24 * 60 * 60_000;

let opened: Promise<IDBPDatabase<Schema>> | undefined;

/** @throws DOMException where the browser lets pages store nothing, as some do in private windows. */
function database(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>('fabula-editor', 1, {
    upgrade: (db) => {
      const journals = db.createObjectStore('journals', { keyPath: 'tab' });
      journals.createIndex('place', ['owner', 'storyId']);
    },
  });
  return opened;
}

/** Keeps the changes of a tab in place of those before; without changes, none are kept. @throws DOMException. */
export async function keepChanges({ changes, ...kept }: KeptChanges): Promise<void> {
  const isEmpty = changes.actions.length + changes.links.length + changes.notes.length === 0;
  if (isEmpty) return forgetChanges(kept.tab);
  await (await database()).put('journals', { ...kept, changes: JSON.stringify(changes) });
}

/** Forgets the changes of a tab. @throws DOMException. */
export async function forgetChanges(tab: string): Promise<void> {
  await (await database()).delete('journals', tab);
}

/** Returns the changes of a person to a story that other tabs kept, newest first. @throws DOMException. */
export async function keptChanges(owner: string, storyId: number, now: number): Promise<KeptChanges[]> {
  const db = await database();
  const found = await db.getAllFromIndex('journals', 'place', [owner, storyId]);
  const old = found.filter(({ at }) => at < now - KEPT_FOR_MS);
  await Promise.all(old.map(({ tab }) => db.delete('journals', tab)));
  return found
    .filter((kept) => !old.includes(kept))
    .toSorted((a, b) => b.at - a.at)
    .map((kept) => ({ ...kept, changes: parseExact(kept.changes) as Changes }));
}
