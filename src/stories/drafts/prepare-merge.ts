import { Conflict, NotFound, PreconditionFailed, type Problem } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';
import type { MergedStory, StoryMerger } from '../merge/story-merger.js';
import type { MergeConflict } from '../merge/conflict-book.js';
import { type ConflictSides, conflictWords, DRAFT_SIDES } from '../merge/conflict-words.js';
import type { Side } from '../merge/three-way.js';
import { readSnapshot, type Snapshot } from '../versions/version-snapshot.js';
import { readDraftBase } from './draft-base-store.js';
import { findStory } from '../story/story-store.js';
import { type DraftRecord, findDraft } from './draft-store.js';

/** How conflicts are solved. */
export interface MergeWish {
  /** The side that counts, by the entry of each conflict. */
  choices: readonly (readonly [string, Side])[];
  /** The side that counts in all other conflicts, as long as the live story has this version: nobody has seen later ones. */
  rest?: { take: Side; liveVersion: number } | undefined;
  /** The story becomes the draft as it is. */
  overwrites: boolean;
  /** Failed tests do not refuse the publication. */
  ignoresTests: boolean;
}

/** Digests of what was merged. */
export interface MergedStates {
  live: string;
  draft: string;
}

/** A merge, and of what: it is to be written only if both are still so. */
export interface PreparedMerge extends MergedStory {
  states: MergedStates;
}

/** The draft to be merged. `check` may refuse it, and runs before the merge. */
export interface MergeTarget extends Pick<DraftRecord, 'id' | 'storyId'> {
  tenantId: number;
  /** Names of both sides in conflicts; those of a draft unless given. */
  sides?: ConflictSides | undefined;
  check?: (draft: DraftRecord, states: MergedStates, session: Session) => Promise<void>;
}

export interface MergeDeps {
  database: Pick<Database, 'transaction'>;
  merger: StoryMerger;
}

/** The story or its draft was changed after they were merged. */
class StoryMoved extends Error {}

const MOST_TRIES = 5;

/**
 * Merges a draft with its story outside of any transaction, then runs `write`, which must call `requireUnmoved` under its
 * locks; does both again if one was changed meanwhile.
 * @throws PreconditionFailed naming each conflict that the wish does not solve; Conflict for a result beyond a bound; what `check` and `write` throw; NotFound.
 */
export async function mergeAndWrite<Result>(
  { target, wish }: { target: MergeTarget; wish: MergeWish },
  write: (prepared: PreparedMerge) => Promise<Result>,
  deps: MergeDeps,
): Promise<Result> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    try {
      return await write(await prepareMerge(target, wish, deps));
    } catch (error) {
      if (!(error instanceof StoryMoved)) throw error;
    }
  }
  throw new Conflict('Other changes to the story keep conflicting with this one; try again');
}

async function prepareMerge(
  target: MergeTarget,
  { choices, rest, overwrites }: MergeWish,
  { database, merger }: MergeDeps,
): Promise<PreparedMerge> {
  const { base, live, draft, liveVersion } = await readStates(target, database);
  const side = rest?.liveVersion === liveVersion ? rest.take : undefined;
  const order = { base, live: live.text, draft: draft.text, choices, rest: side, overwrites };
  const merge = await merger(target.tenantId, order);
  if (merge.conflictCount > 0 && !overwrites) throw conflictProblems(merge, target.sides);
  if (merge.fault !== null) throw new Conflict(merge.fault);
  return { ...merge, states: { live: live.digest, draft: draft.digest } };
}

/**
 * Returns the states that a merge compares: what the draft was made of (null: unknown), its story and itself.
 * @throws NotFound for a draft of another story; what `check` throws.
 */
export function readStates(
  { tenantId, ...target }: MergeTarget,
  database: MergeDeps['database'],
): Promise<{ base: string | null; live: Snapshot; draft: Snapshot; liveVersion: number }> {
  return database.transaction(async (session) => {
    const record = await findDraft({ id: target.id, tenantId }, session);
    if (record?.storyId !== target.storyId) throw new NotFound('Draft');
    // In the order of locks: the story, then its draft.
    const story = await readSnapshot(target.storyId, session);
    const copy = await readSnapshot(target.id, session);
    if (story === undefined || copy === undefined) throw new NotFound('Draft');
    await target.check?.(record, { live: story.digest, draft: copy.digest }, session);
    return {
      base: (await readDraftBase(record, session)) ?? null,
      live: story,
      draft: copy,
      liveVersion: (await findStory(target.storyId, tenantId, session))?.version ?? 0,
    };
  });
}

/** @throws StoryMoved if the story or its draft, which the caller has locked, is not what was merged. */
export async function requireUnmoved(
  { states }: PreparedMerge,
  { id, storyId }: Pick<DraftRecord, 'id' | 'storyId'>,
  session: Session,
): Promise<void> {
  const live = await readSnapshot(storyId, session);
  const draft = await readSnapshot(id, session);
  if (live?.digest !== states.live || draft?.digest !== states.draft) throw new StoryMoved();
}

/** Returns the refusal that names these conflicts. */
export function conflictProblems(
  { conflicts, conflictCount }: Pick<MergedStory, 'conflicts' | 'conflictCount'>,
  sides = DRAFT_SIDES,
): PreconditionFailed {
  const message = `The draft and the live story both changed ${conflictCount} parts since the draft was created: choose a side for each with "resolve"`;
  const left = conflictCount - conflicts.length;
  const more = left > 0 ? [{ message: `… and ${left} more` }] : [];
  return new PreconditionFailed([
    { message, details: 'resolve' },
    ...conflicts.map((each) => problemOf(each, sides)),
    ...more,
  ]);
}

function problemOf(conflict: MergeConflict, sides: ConflictSides): Problem {
  const { place, text } = conflictWords(conflict, sides);
  const { path, entry } = conflict;
  return { message: `${place}: ${text}`, ...(path !== null && { details: path }), entry };
}
