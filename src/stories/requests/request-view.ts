import { type Actor, canWrite } from '../../api/face.js';
import { NotFound } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import type { Session } from '../../platform/mysql/session.js';
import type { StoryDiff } from '../diff/story-differ.js';
import { readDraftBase } from '../drafts/draft-base-store.js';
import { type DraftRecord, findDraft } from '../drafts/draft-store.js';
import { exportStory } from '../export/export.js';
import { exportWithoutSecrets } from '../agents/hidden-options.js';
import type { StoryRecord } from '../story/story-store.js';
import { readSnapshot } from '../versions/version-snapshot.js';
import { visibleStory } from '../story/visible-story.js';
import { type ChangeRequest, findOpenRequest } from './change-request-store.js';

/** A change request with what it would change. */
export interface RequestView {
  story: StoryRecord;
  /** undefined: no draft was named, and there is no open request. */
  draft: DraftRecord | undefined;
  /** The open request. */
  request: ChangeRequest | undefined;
  liveExport: JsonObject;
  draftExport: JsonObject | undefined;
  /** Digest of the live story's state. */
  liveDigest: string;
  /** The changes that the draft would make in the story. */
  diff: StoryDiff | undefined;
}

/** The texts of the states to be compared, and of what the draft was made of (null: unknown); undefined without a draft. */
type Snapshots = { before: string; after: string; madeOf: string | null } | undefined;

/**
 * Reads the open request of a draft, or the story's newest, in the caller's transaction.
 * @throws NotFound for a story that the actor may not see, and for a draft of another story.
 */
export async function readRequestView(
  actor: Actor,
  { storyId, draftId }: { storyId: number; draftId: number | undefined },
  session: Session,
): Promise<Omit<RequestView, 'diff'> & { snapshots: Snapshots }> {
  const story = await visibleStory(actor, storyId, 'read', session);
  const request = await findOpenRequest({ storyId, draftId }, session);
  const id = request?.draftId ?? draftId;
  const draft = id === undefined ? undefined : await findDraft({ id, tenantId: actor.tenantId }, session);
  if (id !== undefined && draft?.storyId !== storyId) throw new NotFound('Draft');
  const exported = async ({ guid, teamId }: StoryRecord | DraftRecord) => {
    const form = await exportStory({ guid, teamId }, new Date(), session);
    if (form === undefined) throw new NotFound('Story');
    return canWrite(actor, story.teamId) ? form : exportWithoutSecrets(form);
  };
  const before = await readSnapshot(story.id, session);
  const after = draft && (await readSnapshot(draft.id, session));
  return {
    story,
    draft,
    request,
    liveExport: await exported(story),
    draftExport: draft && (await exported(draft)),
    liveDigest: before?.digest ?? '',
    snapshots: before &&
      after &&
      draft && {
        before: before.text,
        after: after.text,
        madeOf: (await readDraftBase(draft, session)) ?? null,
      },
  };
}
