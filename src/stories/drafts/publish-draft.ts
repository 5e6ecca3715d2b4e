import type { Session } from '../../platform/mysql/session.js';
import { deleteStory } from '../edit/story-change-store.js';
import type { StoredStory } from '../export/story-export-store.js';
import { readMerged } from '../merge/story-merger.js';
import { findStory, type StoryRecord } from '../story/story-store.js';
import { keepVersion } from '../versions/keep-version.js';
import { restoreState, withGuid } from '../versions/restore-version.js';
import { saveDraftBase } from './draft-base-store.js';
import { type DraftRecord, listAgentGuids } from './draft-store.js';
import { type PreparedMerge, requireUnmoved } from './prepare-merge.js';

/** A draft to be published into its story. */
export interface Publication {
  /** The caller has locked it. */
  live: StoryRecord;
  /** The caller has locked it. */
  draft: DraftRecord;
  merge: PreparedMerge;
  tenantId: number;
  userId: number;
  /** Whether the draft stays, with addresses of its own. */
  keepsDraft: boolean;
}

/**
 * Gives the live story the merged actions, links, notes and settings, in the caller's transaction. Actions that it has
 * already keep their ids, webhook addresses and waiting deliveries. A draft that stays has the same content then. Returns
 * warnings.
 */
export async function publishDraft(
  { live, draft, merge, tenantId, userId, keepsDraft }: Publication,
  session: Session,
): Promise<string[]> {
  await requireUnmoved(merge, draft, session);
  // First: a webhook that only the draft has keeps the draft's address.
  if (!keepsDraft) await deleteStory(draft.id, session);
  const warnings = await restoreState({ story: live, tenantId }, await readMerged(merge.story), session);
  if (keepsDraft) {
    const guids = await listAgentGuids(live.id, session);
    const content = rememberingLive(await readMerged(merge.inDraft), guids);
    await writeDraftContent({ draft, tenantId, userId, content }, session);
  }
  return warnings;
}

/** The actions of a draft remember the live ones, also those that only the draft had. */
function rememberingLive(content: StoredStory, guids: readonly string[]): StoredStory {
  return {
    ...content,
    agents: content.agents.map((agent, index) => ({
      ...agent,
      extra: withGuid(agent.extra, guids[index] ?? agent.extra.guid),
    })),
  };
}

async function writeDraftContent(
  {
    draft,
    tenantId,
    userId,
    content,
  }: Pick<Publication, 'draft' | 'tenantId' | 'userId'> & { content: StoredStory },
  session: Session,
): Promise<void> {
  const story = await findStory(draft.id, tenantId, session);
  if (story === undefined) throw new Error(`Draft ${draft.id} is missing under its lock`);
  await restoreState({ story, tenantId }, content, session);
  // The editor counts the publication when this is done.
  await saveDraftBase(draft, session, 1);
  await keepVersion({ storyId: draft.id, userId, source: 'draft' }, session);
}

/** Gives a draft, which the caller has locked with its story, the merged content; its base is the present live story. */
export async function updateDraft(
  {
    story,
    draft,
    merge,
    tenantId,
  }: Pick<Publication, 'draft' | 'merge' | 'tenantId'> & { story: StoryRecord },
  session: Session,
): Promise<string[]> {
  await requireUnmoved(merge, draft, session);
  const warnings = await restoreState({ story, tenantId }, await readMerged(merge.inDraft), session);
  await saveDraftBase(draft, session);
  return warnings;
}
