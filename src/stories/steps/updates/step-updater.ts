import type { Actor } from '../../../api/face.js';
import { makeRecordTypes } from '../../../data/face.js';
import type { CountQuota } from '../../../people/face.js';
import { AppError, Conflict, NotFound, Unprocessable } from '../../../platform/errors.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { Session } from '../../../platform/mysql/session.js';
import { inSlices } from '../../../platform/steps.js';
import { TaskTooLarge, TaskTooLong } from '../../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../../platform/threads/thread-pool.js';
import { writeDraft } from '../../drafts/make-draft.js';
import type { StoryChanges } from '../../edit/story-changes.js';
import { createStoryEditor, lockedStory, requireEditable } from '../../edit/story-editor.js';
import type { StoryExport } from '../../export/export-form.js';
import { exportSteps } from '../../export/export.js';
import { requiredRecordTypes } from '../../import/plan/required-record-types.js';
import { lockTeam } from '../../import/story-import-store.js';
import type { Side } from '../../merge/three-way.js';
import { readMerged } from '../../merge/story-merger.js';
import { findLanguage } from '../../story/story-extra-store.js';
import type { StoryRecord } from '../../story/story-store.js';
import { visibleStory } from '../../story/visible-story.js';
import { restoreState } from '../../versions/restore-version.js';
import { readSnapshot } from '../../versions/version-snapshot.js';
import { visibleStep } from '../step-service.js';
import { readStepContents, type StepRecord } from '../step-store.js';
import { findUsedVersions } from '../uses/step-use-store.js';
import {
  type StepUpdateLists,
  type StepUpdateTexts,
  type StepUpdateWork,
  updateFromStep,
} from './update-story-task.js';

declare module '../../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'update-from-step': typeof import('./update-story-task.js').updateFromStep;
  }
}

/** A story to be brought up to date, and the sides that were chosen for its conflicts. */
export interface StoryToUpdate {
  id: number;
  choices: readonly (readonly [string, Side])[];
}

/** The stories to be brought up to date. */
export interface StepUpdateOrder {
  stories: readonly StoryToUpdate[];
  /** undefined: the newest. */
  version?: number | undefined;
  /** Whether each story gets a draft. One under change control always does. */
  intoDrafts: boolean;
  /** Nothing is written. */
  isDry: boolean;
}

/** The result of an update for one story. */
export interface StoryUpdate
  extends Pick<StepUpdateLists, 'differences' | 'local' | 'conflicts' | 'conflictCount'> {
  storyId: number;
  storyName: string;
  /**
   * `current`: it has the version already; `ready`: a dry run found no conflict; `conflicts`: some are open; `refused`: the
   * story cannot be changed now, see `problem`.
   */
  status: 'current' | 'ready' | 'updated' | 'conflicts' | 'refused';
  /** The new draft, if the changes went or would go into one. */
  draftId: number | null;
  intoDraft: boolean;
  problem: string | null;
  warnings: string[];
}

export interface StepUpdaterDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  threads: Pick<ThreadPool, 'run'>;
  changes: StoryChanges;
  countQuota: CountQuota;
}

/** The story was changed after it was read. */
class StoryMoved extends Error {}

const MOST_TRIES = 5;
const AT_ONCE_CHARACTERS = 32 * 1024;
const DEADLINE_MS = 20_000;

/** A story, as it was when the update was planned. */
interface PlannedStory {
  story: StoryRecord;
  step: StepRecord;
  version: number;
  digest: string;
  /** Whether the merge may be written to the story itself. */
  intoDraft: boolean;
  lists: StepUpdateLists;
  /** The merged story, in lines. */
  merged: string;
}

export type StepUpdater = ReturnType<typeof createStepUpdater>;

/** Brings stories up to a version of a step that they use (spec §3.21). */
export function createStepUpdater({ database, threads, changes, countQuota }: StepUpdaterDeps) {
  const editor = createStoryEditor({ database, changes });

  const merge = async (tenantId: number, work: StepUpdateWork): Promise<StepUpdateTexts> => {
    const bytes = work.story.length + work.contents.reduce((sum, [, text]) => sum + text.length, 0);
    if (bytes <= AT_ONCE_CHARACTERS) return updateFromStep(work);
    try {
      return await threads.run('update-from-step', work, { tenantId, bytes, deadlineMs: DEADLINE_MS });
    } catch (error) {
      if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
      throw new Unprocessable([{ message: `The story is too large to merge: ${error.message}` }]);
    }
  };

  const plan = async (
    actor: Actor,
    stepId: number,
    {
      story: { id, choices },
      ...order
    }: { story: StoryToUpdate; version: number | undefined; intoDrafts: boolean },
  ): Promise<PlannedStory> => {
    const read = await database.transaction(async (session) => {
      const step = await visibleStep(actor, stepId, 'read', session);
      const story = await visibleStory(actor, id, 'write', session);
      const snapshot = await readSnapshot(id, session);
      const language = await findLanguage(id, session);
      if (snapshot === undefined || language === undefined) throw new NotFound('Story');
      const version = order.version ?? step.version;
      const used = await findUsedVersions({ storyId: id, stepGuid: step.guid }, session);
      const contents = await readStepContents(stepId, [...used, version], session);
      return { step, story, snapshot, language, version, used, contents };
    });
    const { step, story, snapshot, language, version, used, contents } = read;
    if (!contents.some(([number]) => number === version)) throw new NotFound('Version');
    if (used.length === 0) throw new Unprocessable([{ message: 'The story does not use the step' }]);
    requireLanguage(step, language);
    const work = { story: snapshot.text, language, stepGuid: step.guid, contents, version, choices };
    const { story: merged, lists } = await merge(actor.tenantId, work);
    const intoDraft = story.draftOf === null && (order.intoDrafts || story.changeControlEnabled);
    return {
      story,
      step,
      version,
      digest: snapshot.digest,
      intoDraft,
      lists: parseJson(lists) as unknown as StepUpdateLists,
      merged,
    };
  };

  const writeIntoDraft = async (actor: Actor, planned: PlannedStory): Promise<number> => {
    const merged = await readMerged(planned.merged);
    const data = (await inSlices(exportSteps(merged))) as StoryExport;
    return retryLockConflicts(() =>
      database.transaction(async (session) => {
        const live = await lockedStory(actor, planned.story.id, session);
        await requireUnmoved(planned, session);
        const { tenantId, userId } = actor;
        return writeDraft(live, { data, name: versionName(planned), tenantId, userId }, session);
      }),
    );
  };

  const writeLive = async (actor: Actor, planned: PlannedStory): Promise<string[]> => {
    const merged = await readMerged(planned.merged);
    const { tenantId } = actor;
    const { id, teamId } = planned.story;
    const data = (await inSlices(exportSteps(merged))) as StoryExport;
    const { types } = requiredRecordTypes([data]);
    return editor.edit(actor, {
      storyId: id,
      part: 'graph',
      version: { source: 'step', description: versionName(planned) },
      ...(types.length > 0 && { before: (session) => lockTeam(teamId, tenantId, session) }),
      async work(story, { session }) {
        await requireUnmoved(planned, session);
        return countQuota.within(tenantId, session, async () => {
          const made = await makeRecordTypes(types, { tenantId, teamId }, session);
          return [...made, ...(await restoreState({ story, tenantId }, merged, session))];
        });
      },
    });
  };

  const write = async (actor: Actor, planned: PlannedStory): Promise<StoryUpdate> => {
    const draftId = planned.intoDraft ? await writeIntoDraft(actor, planned) : null;
    const warnings = planned.intoDraft ? [] : await writeLive(actor, planned);
    return { ...resultOf(planned, 'updated'), draftId, warnings };
  };

  /** Merges outside of any transaction, then writes; does both again if the story was changed meanwhile. */
  const updateOne = async (
    actor: Actor,
    stepId: number,
    {
      isDry,
      ...order
    }: Omit<StepUpdateOrder, 'stories' | 'version'> & {
      story: StoryToUpdate;
      version: number | undefined;
    },
  ): Promise<StoryUpdate> => {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const planned = await plan(actor, stepId, order);
      const { current, conflictCount, fault } = planned.lists;
      if (current) return resultOf(planned, 'current');
      if (conflictCount > 0) return resultOf(planned, 'conflicts');
      if (fault !== null) throw new Conflict(fault);
      if (!planned.intoDraft) requireEditable(planned.story);
      if (isDry) return resultOf(planned, 'ready');
      try {
        return await write(actor, planned);
      } catch (error) {
        if (!(error instanceof StoryMoved)) throw error;
      }
    }
    throw new Conflict('Other changes to the story keep conflicting with this one; try again');
  };

  /** Returns the names of the stories by their ids. */
  const namesOf = (actor: Actor, stepId: number, storyIds: readonly number[]): Promise<Map<number, string>> =>
    database.read(async (session) => {
      await visibleStep(actor, stepId, 'read', session);
      const names = new Map<number, string>();
      for (const id of storyIds) names.set(id, (await visibleStory(actor, id, 'write', session)).name);
      return names;
    });

  return {
    /** @throws NotFound for a step or a story that the actor may not see; Forbidden for a story that it may not change. */
    async check(actor: Actor, stepId: number, storyIds: readonly number[]): Promise<void> {
      await namesOf(actor, stepId, storyIds);
    },

    /**
     * Brings each story up to the version, one after the other: a story is changed as a whole, or stays as it is.
     * @throws as `check`; NotFound for a version that is not kept; ThreadsBusy. Once a story has its result, a story that is
     * gone or cannot be merged is refused instead, and the others go on.
     */
    async update(
      actor: Actor,
      stepId: number,
      { stories, version, ...order }: StepUpdateOrder,
    ): Promise<StoryUpdate[]> {
      const names = await namesOf(
        actor,
        stepId,
        stories.map(({ id }) => id),
      );
      const done: StoryUpdate[] = [];
      for (const story of stories) {
        try {
          done.push(await updateOne(actor, stepId, { ...order, story, version }));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          const isOfAll = done.length === 0 && !(await isOfStory(actor, story.id, error));
          if (isOfAll) throw error;
          done.push(refusal({ id: story.id, name: names.get(story.id) ?? '' }, error));
        }
      }
      return done;
    },
  };

  /** Whether other stories may well be updated: the story cannot be changed, or is gone since the request began. */
  async function isOfStory(actor: Actor, storyId: number, error: AppError): Promise<boolean> {
    if ([409, 422, 429].includes(error.status)) return true;
    if (![403, 404].includes(error.status)) return false;
    try {
      await database.read((session) => visibleStory(actor, storyId, 'write', session));
      return false;
    } catch (lost) {
      if (lost instanceof AppError) return true;
      throw lost;
    }
  }
}

/** The result of a story that cannot be changed: it does not keep the others from it. */
function refusal({ id, name }: Pick<StoryRecord, 'id' | 'name'>, error: AppError): StoryUpdate {
  return {
    storyId: id,
    storyName: name,
    status: 'refused',
    draftId: null,
    intoDraft: false,
    problem: error.problems.map(({ message }) => message).join('; '),
    warnings: [],
    differences: [],
    local: [],
    conflicts: [],
    conflictCount: 0,
  };
}

/** @throws StoryMoved if the story, which the caller has locked, is not what was merged. */
async function requireUnmoved({ story, digest }: PlannedStory, session: Session): Promise<void> {
  if ((await readSnapshot(story.id, session))?.digest !== digest) throw new StoryMoved();
}

/** @throws Unprocessable for a story in whose language the step is not written. */
function requireLanguage(step: StepRecord, language: StepRecord['language']): void {
  if (language === step.language) return;
  const words = { formula: 'formulas', liquid: 'Liquid' };
  const message = `The step has templates in ${words[step.language]}, the story in ${words[language]}`;
  throw new Unprocessable([{ message }]);
}

/** The name of versions and drafts that an update makes. */
function versionName({ step, version }: Pick<PlannedStory, 'step' | 'version'>): string {
  return `Step “${step.name.slice(0, 200)}”, version ${version}`;
}

function resultOf(
  { story, intoDraft, lists: { current: _current, fault: _fault, ...lists } }: PlannedStory,
  status: StoryUpdate['status'],
): StoryUpdate {
  return {
    storyId: story.id,
    storyName: story.name,
    status,
    draftId: null,
    intoDraft,
    problem: null,
    warnings: [],
    ...lists,
  };
}
