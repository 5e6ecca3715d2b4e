import type { Session } from '../../platform/mysql/session.js';
import { deleteStory } from '../edit/story-change-store.js';
import { findStoredStory, type StoredStory } from '../export/story-export-store.js';
import type { StoryRecord } from '../story-store.js';
import { restoreState } from '../versions/restore-version.js';
import { setAgentExtra } from './draft-store.js';
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
  const warnings = await restoreState({ story: live, tenantId }, asPublished(stored, present), session);
  if (keepsDraft) await rememberLive(stored, live, session);
  return warnings;
}

/** An action that only the draft had is in both now: the draft's remembers the live one. */
async function rememberLive(draft: StoredStory, live: StoryRecord, session: Session): Promise<void> {
  const published = await findStoredStory(live.guid, live.teamId, session);
  for (const [index, { id, extra }] of draft.agents.entries()) {
    const guid = published?.agents[index]?.columns.guid;
    if (guid === undefined || guid === extra.guid) continue;
    await setAgentExtra(id, { ...extra, guid }, session);
  }
}
