import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { KeptChanges } from '../../../story-model/changes/kept-changes.js';
import { parseExact } from '../../../text/exact-json.js';
import type { HeldText } from '../view-store.js';

/** What a browser keeps of a person's work until the server has it. */
export interface KeptWork extends KeptChanges {
  /** Whose work, on which story, in which tab. */
  tab: string;
  owner: string;
  /** The story or the draft. */
  storyId: number;
  /** Milliseconds since 1970. */
  at: number;
  /** Texts that cannot be read. */
  texts: readonly HeldText[];
}

/** Whose journals. */
type JournalPlace = Pick<KeptWork, 'tab' | 'owner' | 'storyId' | 'at'>;

interface Schema extends DBSchema {
  journals: {
    key: string;
    /** The work is JSON text, since a clone would lose the digits of long numbers. */
    value: JournalPlace & { work: string };
    indexes: { place: [owner: string, storyId: number] };
  };
}

/** A journal of nobody's for so long is thrown away when another one opens. */
const KEPT_FOR_MS = 30 * 24 * 60 * 60_000;

/** Persons who signed out on this page: what their editor still keeps as it closes is not stored. */
const gone = new Set<string>();

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

/** Keeps the work of a tab in place of what it was before; without any, none is kept. @throws DOMException. */
export async function keepWork({ tab, owner, storyId, at, ...work }: KeptWork): Promise<void> {
  if (gone.has(owner)) return;
  const { actions, links, notes } = work.changes;
  const isEmpty = actions.length + links.length + notes.length + work.texts.length === 0;
  if (isEmpty) return forgetWork(tab);
  await (await database()).put('journals', { tab, owner, storyId, at, work: JSON.stringify(work) });
}

/** Forgets the work of a tab. @throws DOMException. */
export async function forgetWork(tab: string): Promise<void> {
  await (await database()).delete('journals', tab);
}

/** Returns the work of a person on a story that other tabs kept, newest first. @throws DOMException. */
export async function keptWork(owner: string, storyId: number, now: number): Promise<KeptWork[]> {
  gone.delete(owner);
  const db = await database();
  const all = await db.getAll('journals');
  const old = all.filter(({ at }) => at < now - KEPT_FOR_MS);
  await Promise.all(old.map(({ tab }) => db.delete('journals', tab)));
  return all
    .filter((kept) => kept.owner === owner && kept.storyId === storyId && !old.includes(kept))
    .toSorted((a, b) => b.at - a.at)
    .map(({ work, ...place }) => ({ ...place, ...(parseExact(work) as Omit<KeptWork, keyof JournalPlace>) }));
}

/** Returns how many tabs of a person kept work. @throws DOMException. */
export async function countWork(owner: string): Promise<number> {
  return (await database()).countFromIndex('journals', 'place', ofOwner(owner));
}

/** Forgets all work of a person, and keeps no more of it until their editor opens again. @throws DOMException. */
export async function forgetAllWork(owner: string): Promise<void> {
  gone.add(owner);
  const db = await database();
  const tabs = await db.getAllKeysFromIndex('journals', 'place', ofOwner(owner));
  await Promise.all(tabs.map((tab) => db.delete('journals', tab)));
}

/** A list is greater than every number. */
const ofOwner = (owner: string) => IDBKeyRange.bound([owner], [owner, []]);
