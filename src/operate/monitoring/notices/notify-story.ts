import { isLockConflict } from '../../../platform/mysql/db-errors.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { Notice } from '../outbox/notice.js';
import { queueNotices } from '../outbox/notice-store.js';
import { noticesFor } from '../outbox/recipients.js';
import { type ClaimTable, claimStory } from './claim-store.js';

/** A story with recipients. */
export interface NotifiedStory {
  id: number;
  tenantId: number;
  teamId: number;
  name: string;
  recipients: readonly string[];
  /** What to do when it fails, in Markdown; empty: nothing is written. */
  runbook: string;
}

/**
 * Notifies the recipients of a story, at most once in ten minutes. `compose` returns the notice, and marks its causes as
 * notified; undefined: there is nothing to report. The claim, the marks and the outbox are one transaction, so no notice is
 * doubled or lost. After a conflict the story stays due.
 */
export async function notifyStory(
  database: Pick<Database, 'transaction'>,
  { story, table }: { story: NotifiedStory; table: ClaimTable },
  compose: (session: Session) => Promise<Notice | undefined>,
): Promise<void> {
  try {
    await database.transaction(async (session) => {
      if (!(await claimStory(table, story.id, session))) return;
      const notice = await compose(session);
      if (notice === undefined) return;
      const { id: storyId, tenantId, teamId } = story;
      await queueNotices(noticesFor(story.recipients, { tenantId, teamId, storyId, notice }), session);
    });
  } catch (error) {
    if (!isLockConflict(error)) throw error;
  }
}

/** Returns the subject, the links and the story of a notice. */
export function aboutStory(
  { id, name }: Pick<NotifiedStory, 'id' | 'name'>,
  { subject, details, baseUrl }: { subject: string; details: string; baseUrl: string },
): Pick<Notice, 'subject' | 'links' | 'story'> {
  const api = `${baseUrl}/api/v1`;
  return {
    subject: `[Story ${id}] ${subject}`,
    links: { details: `${api}/${details}?story_id=${id}`, story: `${api}/stories/${id}` },
    story: { id, name },
  };
}
