import { makeRecordTypes } from '../../data/face.js';
import type { StoryExport } from '../export/export-form.js';
import { requiredRecordTypes } from '../import/plan/required-record-types.js';
import { findDisabledAgents } from '../agents/agent-store.js';
import { settleNotes } from '../notes/story-notes.js';
import type { EditContext } from '../edit/story-editor.js';
import { findExtra, updateStory } from '../edit/story-change-store.js';
import { findTakenWebhookPaths, lockReplacedStory } from '../import/story-import-store.js';
import type { StoryRecord } from '../story/story-store.js';
import { clearStory, writeGraph } from '../story/story-write-store.js';
import { NotFound } from '../../platform/errors.js';
import { inSlices } from '../../platform/steps.js';
import { readSnapshot } from '../versions/version-snapshot.js';
import type { GraphRequest } from './graph-body.js';
import { givenPaths, planGraph } from './plan-graph.js';
import { StaleGraph, wantedSnapshot } from './stale-graph.js';

/** The story whose graph is replaced. */
export interface GraphPlace {
  story: StoryRecord;
  tenantId: number;
  /** The header or key that names another version than the story has; undefined: none does. */
  unexpectedBy: StaleGraph['by'] | undefined;
}

/**
 * Replaces the graph of a story that is locked, in the caller's transaction.
 * @throws StaleGraph if another version was expected; as `planGraph`.
 */
export async function replaceGraph(
  { story, tenantId, unexpectedBy }: GraphPlace,
  request: GraphRequest,
  { session, wake }: EditContext,
): Promise<void> {
  const { id, teamId } = story;
  const extra = await findExtra(id, session);
  const replaced = await lockReplacedStory(id, session);
  if (replaced === undefined) throw new NotFound('Story');
  const taken = await findTakenWebhookPaths(givenPaths(request), id, session);
  const plan = await planGraph({ story, extra, replaced, taken }, request);
  if (unexpectedBy !== undefined) {
    const stored = await readSnapshot(id, session);
    if (stored === undefined) throw new NotFound('Story');
    const wanted = await inSlices(wantedSnapshot(stored.storyText, plan));
    throw new StaleGraph(story.version, { stored: stored.text, wanted }, unexpectedBy);
  }
  const { types } = requiredRecordTypes([{ agents: request.agents.map(({ form }) => form) } as StoryExport]);
  await makeRecordTypes(types, { tenantId, teamId }, session);
  const disabled = await findDisabledAgents(id, session);
  await clearStory(id, session);
  await writeGraph(id, plan, session);
  await updateStory(id, { extra: plan.extra }, session);
  const ids = request.notes?.map((note) => note.id) ?? [];
  await settleNotes(id, plan.extra, session, ids);
  if (plan.agents.some(({ kept, disabled: rests }) => !rests && disabled.has(kept?.id ?? 0))) wake();
}
