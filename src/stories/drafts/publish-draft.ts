import type { Session } from '../../platform/mysql/session.js';
import { deleteStory } from '../story-change-store.js';
import { findStoredStory } from '../story-export-store.js';
import type { StoryRecord } from '../story-store.js';
import { restoreState } from '../versions/restore-version.js';
import { asPublished } from './as-published.js';
import type { DraftRecord } from './draft-store.js';

/** A draft to be published into its story. */
export interface Publication {
  /** The caller has locked it. */
  live: StoryRecord;
  draft: DraftRecord;
  tenantId: number;
  /** Whether the draft stays, with addresses of its own. */
  keepsDraft: boolean;
}

/**
 * Replaces the live story's actions, links, notes and settings by those of the draft, in the caller's transaction. Actions
 * that both have keep their ids, webhook addresses and waiting deliveries. Returns warnings.
 */
export async function publishDraft(
  { live, draft, tenantId, keepsDraft }: Publication,
  session: Session,
): Promise<string[]> {
  const stored = await findStoredStory(draft.guid, draft.teamId, session);
  const present = await findStoredStory(live.guid, live.teamId, session);
  if (stored === undefined || present === undefined) throw new Error(`Draft ${draft.id} is missing`);
  // First: a webhook that only the draft has keeps the draft's address.
  if (!keepsDraft) await deleteStory(draft.id, session);
  return restoreState({ story: live, tenantId }, asPublished(stored, present), session);
}
