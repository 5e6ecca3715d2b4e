import { type Actor, requireTeam } from '../../api/face.js';
import { Conflict } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';
import type { createDraftPublisher, PublishedStory } from '../drafts/draft-publisher.js';
import type { MergeWish } from '../drafts/prepare-merge.js';
import { visibleStory } from '../story/visible-story.js';
import { approvalFault } from './approval.js';
import { type ChangeRequest, closeRequest } from './change-request-store.js';
import { openRequest, requestedDraft } from './open-request.js';

/** How a request is promoted. */
export interface Promotion {
  id: number;
  deleteDraft: boolean;
  /** Why it needs no approval; undefined: it needs one. */
  bypassReason: string | undefined;
  wish: MergeWish;
}

interface PromotionDeps {
  database: Pick<Database, 'read'>;
  publisher: ReturnType<typeof createDraftPublisher>;
}

/**
 * Publishes the draft of an approved request, as a version named after its title.
 * @throws Conflict without a valid approval and for a locked story; Forbidden for a bypass, an overwriting draft or the live
 * side of a conflict by another than a team admin; as `DraftPublisher.publish`.
 */
export async function promoteRequest(
  actor: Actor,
  { storyId, id, deleteDraft, bypassReason, wish }: Promotion & { storyId: number },
  { database, publisher }: PromotionDeps,
): Promise<PublishedStory> {
  const { userId } = actor;
  const asked = await database.read(async (session) => {
    await visibleStory(actor, storyId, 'write', session);
    return openRequest({ storyId, id }, session);
  });
  const description = bypassReason === undefined ? asked.description : `Without approval: ${bypassReason}`;
  const requireAllowed = async (request: ChangeRequest, liveDigest: string, session: Session) => {
    const live = await visibleStory(actor, storyId, 'write', session);
    if (bypassReason !== undefined || leavesApproval(wish))
      requireTeam(actor, live.teamId, 'manage', 'Story');
    const draft = await requestedDraft(actor, { storyId, draftId: request.draftId }, session);
    const fault = approvalFault(request, { draft, live, liveDigest });
    if (bypassReason === undefined && fault !== undefined) throw new Conflict(fault);
    return draft;
  };
  return publisher.publish(actor, {
    id: asked.draftId,
    storyId,
    wish,
    keepsDraft: !deleteDraft,
    isApproved: true,
    version: { source: 'request', name: asked.title, description: description ?? undefined },
    async check(_draft, { live }, session) {
      await requireAllowed(await openRequest({ storyId, id }, session), live, session);
    },
    async lockedDraft({ states }, session) {
      const request = await openRequest({ storyId, id, lock: true }, session);
      const draft = await requireAllowed(request, states.live, session);
      await closeRequest(id, { userId, bypassReason: bypassReason ?? null }, session);
      return draft;
    },
  });
}

/** Whether the result may be another than `story_diff` has shown: there each conflict has the draft's side. */
function leavesApproval({ overwrites, choices, rest }: MergeWish): boolean {
  return overwrites || rest?.take === 'live' || choices.some(([, side]) => side === 'live');
}
