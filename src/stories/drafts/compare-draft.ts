import { objectOfLines } from '../../platform/json/json-lines.js';
import type { JsonObject } from '../../platform/json.js';
import { inSlices } from '../../platform/steps.js';
import { listPendingActions, type PendingAction } from '../agents/pending-action-store.js';
import type { MergedLists } from '../merge/story-merge-task.js';
import type { DraftRecord } from './draft-store.js';
import { type MergeDeps, readStates } from './prepare-merge.js';

/** What a publication of a draft would do. */
export interface DraftComparison
  extends Required<Pick<MergedLists, 'merged' | 'conflicts' | 'conflictCount' | 'tests' | 'sides'>> {
  /** Version of the live story that the draft was made of; null: unknown. */
  baseVersion: number | null;
  liveVersion: number;
  /** Actions that would go away, with the events that wait for them. */
  waiting: PendingAction[];
  /** The live story, and what it would be, in the export form; each conflict has the draft's side. */
  live: JsonObject;
  published: JsonObject;
}

const MOST_WAITING = 1_000;

/**
 * Merges a draft with its story as a publication does, and writes nothing. The list of conflicts begins after `skipped`.
 * @throws NotFound for a draft or story that is gone; as `StoryMerger`.
 */
export async function compareDraft(
  { id, storyId, baseVersion }: DraftRecord,
  { tenantId, skipped }: { tenantId: number; skipped: number },
  { database, merger }: MergeDeps,
): Promise<DraftComparison> {
  const { base, live, draft, liveVersion } = await readStates({ id, storyId, tenantId }, database);
  const texts = { base, live: live.text, draft: draft.text };
  const order = { ...texts, choices: [], overwrites: false, compares: true, skipped };
  const { merged, conflicts, conflictCount, tests, sides, forms } = await merger(tenantId, order);
  if (sides === undefined || forms === undefined) throw new Error('The merge compared nothing');
  const published = await inSlices(objectOfLines(forms.published));
  const stays = new Set(agentsIn(published).map(({ guid }) => guid));
  const pending = await database.transaction((session) =>
    listPendingActions(storyId, { window: { offset: 0, limit: MOST_WAITING } }, session),
  );
  return {
    baseVersion,
    liveVersion,
    merged,
    conflicts,
    conflictCount,
    tests,
    sides,
    waiting: pending.items.filter(({ guid }) => !stays.has(guid)),
    live: await inSlices(objectOfLines(forms.live)),
    published,
  };
}

const agentsIn = ({ agents }: JsonObject) => agents as JsonObject[];
