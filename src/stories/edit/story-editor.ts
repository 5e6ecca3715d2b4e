import { wakeResting } from '../activity/story-deliveries-store.js';
import type { Actor } from '../../api/face.js';
import { Conflict, NotFound } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { lockStory, touchStory } from './story-change-store.js';
import type { StoryChanges } from './story-changes.js';
import type { StoryRecord } from '../story/story-store.js';
import { keepStateBefore, keepVersion, type VersionedChange } from '../versions/keep-version.js';
import { requireExpected } from './story-version.js';
import { keepGuards } from '../settings/guarded-settings.js';
import { visibleStory } from '../story/visible-story.js';

/** The tools of a change inside its transaction. */
export interface EditContext {
  session: Session;
  /** Continues the story's resting deliveries at once after the commit: a story or an action was enabled. */
  wake: () => void;
  /** Warnings for who makes the change; the editor adds to it after the work. */
  warnings: string[];
}

/** One change of one story. */
export interface StoryEdit<Result> {
  storyId: number;
  /** `graph`: actions, links and notes, which a lock and change control protect. */
  part: 'settings' | 'graph';
  /** The version that the request expects: the header `If-Match`; undefined: any. */
  ifMatch?: string | undefined;
  /** The change was approved: change control does not refuse it. */
  isApproved?: boolean;
  /** Takes locks that must come before the story's, in the transaction. */
  before?: (session: Session) => Promise<unknown>;
  /** Makes the change. `story` is read under its lock. A conflict of locks runs it again. */
  work: (story: StoryRecord, context: EditContext) => Promise<Result>;
  /** The version that the change makes: an unnamed one of one edit unless given. */
  version?: Pick<VersionedChange, 'source' | 'name' | 'description'>;
}

/** Changes one story in the transaction of several. */
export type ChangeStory = <Result>(edit: Omit<StoryEdit<Result>, 'before'>) => Promise<Result>;

/** One change of several stories. */
export interface StoryEdits extends Omit<StoryEdit<void>, 'storyId' | 'before'> {
  /** Returns the stories, locked in ascending order, in the transaction. */
  stories: (session: Session) => Promise<readonly number[]>;
}

export interface StoryEditorDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  changes: StoryChanges;
}

/** The one way to change a story that exists (an import that replaces one has a transaction of its own). */
export type StoryEditor = ReturnType<typeof createStoryEditor>;

export function createStoryEditor({ database, changes }: StoryEditorDeps) {
  const tell = async (all: readonly Done<unknown>[]): Promise<void> => {
    for (const { storyId, wakes } of all) {
      await changes.announce(storyId);
      // After the announcement: a worker that still sees the story as disabled would suspend them again.
      if (wakes) await changes.followUp(storyId, () => wakeResting(database, storyId));
    }
  };
  /** Makes the changes that `work` asks for, each as `edit` does, in one transaction: all or none. @throws as `edit`. */
  const together = async <Result>(
    actor: Actor,
    work: (session: Session, change: ChangeStory) => Promise<Result>,
  ): Promise<Result> => {
    const { result, all } = await retryLockConflicts(() =>
      database.transaction(async (session) => {
        const all: Done<unknown>[] = [];
        const result = await work(session, async (edit) => {
          const done = await changeOne(actor, edit, session);
          all.push(done);
          return done.result;
        });
        return { result, all };
      }),
    );
    await tell(all);
    return result;
  };

  return {
    /**
     * Makes a change in one transaction: it locks the story, increments its version, keeps the new state as a version, and
     * notifies every process.
     * @throws NotFound or Forbidden for a story that the actor may not see or change; Conflict for a change of the graph
     * of a story that is locked or under change control; PreconditionFailed if `ifMatch` does not name its version; what
     * `work` throws.
     */
    async edit<Result>(actor: Actor, edit: StoryEdit<Result>): Promise<Result> {
      const done = await retryLockConflicts(() =>
        database.transaction(async (session) => {
          await edit.before?.(session);
          return changeOne(actor, edit, session);
        }),
      );
      await tell([done]);
      return done.result;
    },

    /** Makes a change of several stories as `edit` does, in one transaction: all or none. @throws as `edit`. */
    editMany: (actor: Actor, { stories, ...edit }: StoryEdits): Promise<void> =>
      together(actor, async (session, change) => {
        for (const storyId of await stories(session)) await change({ ...edit, storyId });
      }),

    together,
  };
}

/** A change that waits for its commit. */
interface Done<Result> {
  storyId: number;
  result: Result;
  wakes: boolean;
}

async function changeOne<Result>(
  actor: Actor,
  { storyId, part, work, ifMatch, isApproved = false, version = { source: 'edit' } }: StoryEdit<Result>,
  session: Session,
): Promise<Done<Result>> {
  const story = await lockedStory(actor, storyId, session);
  requireExpected(ifMatch, story);
  const { locked, changeControlEnabled } = story;
  if (part === 'graph') {
    requireEditable({ locked, changeControlEnabled: changeControlEnabled && !isApproved });
  }
  await keepStateBefore(story, session);
  let wakes = false;
  const warnings: string[] = [];
  const result = await work(story, { session, wake: () => (wakes = true), warnings });
  warnings.push(...(await keepGuards(actor, story, session)));
  await touchStory(storyId, part, session);
  await keepVersion({ ...version, storyId, userId: actor.userId }, session);
  return { storyId, result, wakes };
}

/** @throws Conflict if the graph of the story may not be changed now. */
export function requireEditable(story: Pick<StoryRecord, 'locked' | 'changeControlEnabled'>): void {
  if (story.locked) throw new Conflict('The story is locked; set "locked" of the story to false first');
  if (story.changeControlEnabled) {
    throw new Conflict('The story is under change control; edit a draft and promote a change request');
  }
}

/** Locks the story, then reads it. @throws as `visibleStory`. */
export async function lockedStory(actor: Actor, id: number, session: Session): Promise<StoryRecord> {
  await visibleStory(actor, id, 'write', session);
  if (!(await lockStory(id, session))) throw new NotFound('Story');
  return visibleStory(actor, id, 'write', session);
}
