import { createHash } from 'node:crypto';
import type { JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { StoryDifference } from '../diff/story-diff.js';
import { type Side, type Three, UNKNOWN } from './three-way.js';

/** The guid with which the key of a part begins. A note may have none: its key is its text. */
const GUID = /^[0-9a-f]{32}(?= |$)/i;

/** Keys up to this length are in the name of a conflict as they are. */
const MOST_KEY_CHARACTERS = 800;

/** The place of a value in a story, as differences name it, and the key of the part that it is in. */
export interface MergePlace extends Pick<StoryDifference, 'kind' | 'action' | 'path'> {
  /** Guid of an action or a note, the ends of a link; empty for a setting. */
  part: string;
}

/** A value that both sides have changed. */
export interface MergeConflict extends Pick<StoryDifference, 'kind' | 'action' | 'guid' | 'path'> {
  /** Names the conflict for as long as its values stay the same. */
  entry: string;
  /** null: absent, or unknown. */
  base: JsonValue;
  live: JsonValue;
  draft: JsonValue;
  /** The reason, if it is not that both changed this very value. */
  because?: string;
}

/** A conflict with the side that counts; null: nobody has chosen. */
export interface NotedConflict extends MergeConflict {
  take: Side | null;
}

/** The choices that were made for conflicts, and the conflicts that have none. */
export type ConflictBook = ReturnType<typeof createConflictBook>;

/** `choices`: by the name of the entry. `rest`: the side of all conflicts without a choice. */
export function createConflictBook(choices: ReadonlyMap<string, Side>, rest?: Side) {
  const conflicts = new Map<string, MergeConflict>();
  const noted = new Map<string, NotedConflict>();
  return {
    /** Returns the conflicts without a choice. */
    open: (): MergeConflict[] => [...conflicts.values()],

    /** Returns all conflicts, with and without a choice. */
    all: (): NotedConflict[] => [...noted.values()],

    /** Returns the side that was chosen for a value; without a choice the conflict is noted, and the draft's side returned. */
    settle(place: MergePlace, three: Three, because?: string): Side {
      const conflict = conflictAt(place, three, because);
      const chosen = choices.get(conflict.entry) ?? rest;
      if (chosen === undefined) conflicts.set(conflict.entry, conflict);
      noted.set(conflict.entry, { ...conflict, take: chosen ?? null });
      return chosen ?? 'draft';
    },
  };
}

function conflictAt(
  { part, ...place }: MergePlace,
  three: Three,
  because: string | undefined,
): MergeConflict {
  const { kind, path } = place;
  const values = {
    base: three.base === UNKNOWN ? null : (three.base ?? null),
    live: three.live ?? null,
    draft: three.draft ?? null,
  };
  const state = hashOf(stringifyJson([values, because ?? null]));
  return {
    ...place,
    guid: GUID.exec(part)?.[0] ?? null,
    entry: [
      kind,
      ...[part, path ?? ''].filter((each) => each !== '').map(shortened),
      state.slice(0, 12),
    ].join(' '),
    ...values,
    ...(because !== undefined && { because }),
  };
}

/** A note without a guid is known by its whole text, and a path may be long, but a request names entries that are short. */
function shortened(key: string): string {
  return key.length <= MOST_KEY_CHARACTERS ? key : hashOf(key);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
