import type { DraftRecord } from '../drafts/draft-store.js';
import type { StoryRecord } from '../story/story-store.js';
import type { ChangeRequest } from './change-request-store.js';

/** The draft as it is, and the live story that it would change. */
export interface ApprovedStates {
  draft: Pick<DraftRecord, 'version'>;
  live: Pick<StoryRecord, 'updatedAt'>;
  /** Digest of the live story's state. */
  liveDigest: string;
}

/** Returns why the request is not approved for these states; undefined: it is. */
export function approvalFault(request: ChangeRequest, states: ApprovedStates): string | undefined {
  if (request.status !== 'APPROVED') return 'The change request is not approved';
  if (request.approvedVersion !== states.draft.version) {
    return 'The draft was changed after its approval and must be approved again';
  }
  if (isLiveAsApproved(request, states)) return undefined;
  return 'The live story was changed after the approval, so the draft must be approved again';
}

/** An approval that names no state of the live story holds while nothing was changed since. */
function isLiveAsApproved(
  { approvedLive, updatedAt }: ChangeRequest,
  { live, liveDigest }: ApprovedStates,
): boolean {
  if (approvedLive === null) return live.updatedAt <= updatedAt;
  return approvedLive === liveDigest;
}
