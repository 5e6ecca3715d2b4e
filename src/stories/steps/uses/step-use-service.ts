import type { Actor } from '../../../api/face.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import type { JsonObject } from '../../../platform/json.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { Page, Window } from '../../../platform/mysql/statements/page-query.js';
import { TaskTooLarge, TaskTooLong } from '../../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../../platform/threads/thread-pool.js';
import { textOrEmpty } from '../../merge/merge-parts.js';
import type { StoredStory } from '../../export/story-export-store.js';
import { stepMarkOf } from '../step-mark.js';
import { stepReaderOf, visibleStep } from '../step-service.js';
import { readStepContents } from '../step-store.js';
import { type ComparedUse, compareUses } from './compare-uses-task.js';
import { findUsedParts, listUsingStories, type UsingStory } from './step-use-store.js';

declare module '../../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'compare-step-uses': typeof import('./compare-uses-task.js').compareUses;
  }
}

/** An action of a story that came from a step. */
export interface UsedAction {
  id: number;
  guid: string;
  name: string;
  version: number;
  /** The action in the step. */
  action: string;
}

/** A story that uses a step. */
export interface StepUseRecord extends UsingStory {
  /** The oldest version that one of its actions has. */
  version: number;
  isBehind: boolean;
  /** Whether the story has changed what it took; null: nobody knows, since the version is gone, or there are too many. */
  isChanged: boolean | null;
  actions: UsedAction[];
}

export interface StepUseDeps {
  database: Pick<Database, 'read'>;
  threads: Pick<ThreadPool, 'run'>;
}

/** Actions of one page that are looked at. */
const MOST_ACTIONS = 5_000;
/** Texts up to this length together are compared on the event loop, within 20 ms. */
const AT_ONCE_CHARACTERS = 32 * 1024;
const DEADLINE_MS = 20_000;

export type StepUseService = ReturnType<typeof createStepUseService>;

/** The stories that use a step (spec §3.21). */
export function createStepUseService({ database, threads }: StepUseDeps) {
  const changedIn = async (tenantId: number, compared: ComparedUse): Promise<Map<number, boolean>> => {
    const bytes = [...compared.parts, ...compared.contents].reduce((sum, [, text]) => sum + text.length, 0);
    if (bytes <= AT_ONCE_CHARACTERS) return new Map(compareUses(compared));
    try {
      const options = { tenantId, bytes, deadlineMs: DEADLINE_MS };
      return new Map(await threads.run('compare-step-uses', compared, options));
    } catch (error) {
      if (error instanceof TaskTooLong || error instanceof TaskTooLarge) return new Map();
      throw error;
    }
  };

  return {
    /** Returns a page of the live stories that use a step and that the actor may see, by name. @throws NotFound; ThreadsBusy. */
    async list(actor: Actor, id: number, window: Window): Promise<Page<StepUseRecord>> {
      const found = await database.read(async (session) => {
        const step = await visibleStep(actor, id, 'read', session);
        const page = await listUsingStories(step.guid, stepReaderOf(actor), window, session);
        const storyIds = page.items.map((story) => story.id);
        const parts = await findUsedParts(step.guid, { storyIds, most: MOST_ACTIONS }, session);
        const versions = new Set([...parts.values()].flatMap(versionsIn));
        const contents = await readStepContents(id, [...versions], session);
        return { step, page, parts, contents };
      });
      const { step, page, parts, contents } = found;
      const changed = await changedIn(actor.tenantId, {
        stepGuid: step.guid,
        contents,
        languages: page.items.map((story) => [story.id, story.language]),
        parts: [...parts].map(([storyId, part]) => [storyId, stringifyJson(part as unknown as JsonObject)]),
      });
      const items = page.items.map((story): StepUseRecord => {
        const actions = actionsOf(parts.get(story.id));
        const version = Math.min(step.version, ...actions.map((action) => action.version));
        const isChanged = changed.get(story.id) ?? null;
        return { ...story, version, isBehind: version < step.version, isChanged, actions };
      });
      return { items, total: page.total };
    },
  };
}

function versionsIn({ agents }: StoredStory): number[] {
  return agents.flatMap(({ extra }) => stepMarkOf(extra)?.version ?? []);
}

function actionsOf(part: StoredStory | undefined): UsedAction[] {
  return (part?.agents ?? []).flatMap(({ id, columns, extra }) => {
    const mark = stepMarkOf(extra);
    if (mark === undefined) return [];
    const { version, action } = mark;
    return [{ id, guid: textOrEmpty(columns.guid), name: textOrEmpty(columns.name), version, action }];
  });
}
