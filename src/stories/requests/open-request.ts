import type { Actor } from '../../api/face.js';
import { Conflict, NotFound, Unprocessable } from '../../platform/errors.js';
import type { Session } from '../../platform/mysql/session.js';
import { type DraftRecord, findDraft, findDraftIds } from '../drafts/draft-store.js';
import { type ChangeRequest, findChangeRequest } from './change-request-store.js';

/** Returns a request that is not closed. @throws NotFound; Conflict if it is closed. */
export async function openRequest(
  place: { storyId: number; id: number; lock?: boolean },
  session: Session,
): Promise<ChangeRequest> {
  const request = await findChangeRequest(place, session);
  if (request === undefined) throw new NotFound('Change request');
  if (request.status === 'PENDING' || request.status === 'APPROVED') return request;
  throw new Conflict(`The change request is ${request.status.toLowerCase()}`);
}

/**
 * Returns the draft of a request; `draftId` undefined: the story's only draft.
 * @throws NotFound; Unprocessable if the story has no draft, or several
 */
export async function requestedDraft(
  { tenantId }: Actor,
  { storyId, draftId }: { storyId: number; draftId: number | undefined },
  session: Session,
): Promise<DraftRecord> {
  const ids = draftId === undefined ? await findDraftIds(storyId, session) : [draftId];
  const [id = 0, ...others] = ids;
  if (draftId === undefined && (id === 0 || others.length > 0)) {
    const message = `draft_id is required: the story has ${ids.length} drafts`;
    throw new Unprocessable([{ message, details: 'draft_id' }]);
  }
  const draft = await findDraft({ id, tenantId }, session);
  if (draft?.storyId !== storyId) throw new NotFound('Draft');
  return draft;
}
