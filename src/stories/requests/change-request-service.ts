import { type Actor, canWrite } from '../../api/face.js';
import { Conflict, Forbidden, NotFound } from '../../platform/errors.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import type { StoryDiffer } from '../diff/story-differ.js';
import {
  createDraftPublisher,
  type DraftPublisherDeps,
  type PublishedStory,
} from '../drafts/draft-publisher.js';
import { lockStory } from '../edit/story-change-store.js';
import { lockedStory } from '../edit/story-editor.js';
import { readSnapshot } from '../versions/version-snapshot.js';
import { findNewestVersion } from '../versions/version-store.js';
import { visibleStory } from '../story/visible-story.js';
import {
  approveRequest,
  cancelRequest,
  type ChangeRequest,
  findOpenRequest,
  insertChangeRequest,
} from './change-request-store.js';
import { openRequest, requestedDraft } from './open-request.js';
import { promoteRequest, type Promotion } from './promote-request.js';
import { type RequestView, readRequestView } from './request-view.js';

export interface ChangeRequestServiceDeps extends DraftPublisherDeps {
  differ: StoryDiffer;
}

/** The fields of a new request. */
export interface NewRequest {
  /** undefined: the story's only draft. */
  draftId: number | undefined;
  /** Undefined: the name of the draft. */
  title: string | undefined;
  description: string | null;
}

export type ChangeRequestService = ReturnType<typeof createChangeRequestService>;

/** Change requests, by which a draft becomes the story under change control (spec §3.19). */
export function createChangeRequestService(deps: ChangeRequestServiceDeps) {
  const { database, differ } = deps;
  const publisher = createDraftPublisher(deps);

  const changing = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
    retryLockConflicts(() => database.transaction(work));

  const view = async (actor: Actor, storyId: number, draftId?: number): Promise<RequestView> => {
    const { snapshots, ...found } = await database.transaction((session) =>
      readRequestView(actor, { storyId, draftId }, session),
    );
    if (snapshots === undefined) return { ...found, diff: undefined };
    const order = { ...snapshots, hideSecrets: !canWrite(actor, found.story.teamId) };
    return { ...found, diff: await differ(actor.tenantId, order) };
  };

  return {
    /** Returns the open request: of the draft if one is given, else the newest. @throws NotFound */
    view,

    /** @throws NotFound or Forbidden for a story that the actor may not change. */
    check: (actor: Actor, storyId: number): Promise<void> =>
      database.read(async (session) => {
        await visibleStory(actor, storyId, 'write', session);
      }),

    /** @throws NotFound or Forbidden as `approve`, as far as the request is known. */
    checkApprove: (actor: Actor, storyId: number, id: number | undefined): Promise<void> =>
      database.read(async (session) => {
        await visibleStory(actor, storyId, 'write', session);
        if (id !== undefined) await requireOther(actor, await openRequest({ storyId, id }, session), session);
      }),

    /** Asks for the publication of a draft. @throws NotFound; Conflict if it was asked for already; Unprocessable. */
    async create(actor: Actor, storyId: number, request: NewRequest): Promise<RequestView> {
      const draftId = await changing(async (session) => {
        await lockedStory(actor, storyId, session);
        const draft = await requestedDraft(actor, { storyId, draftId: request.draftId }, session);
        if ((await findOpenRequest({ storyId, draftId: draft.id }, session)) !== undefined) {
          throw new Conflict('This draft already has a change request; cancel it first');
        }
        const { title = draft.name, description } = request;
        const row = { storyId, draftId: draft.id, title, description, userId: actor.userId };
        await insertChangeRequest(row, session);
        return draft.id;
      });
      return view(actor, storyId, draftId);
    },

    /**
     * Approves a request for the draft and the live story as they are now.
     * @throws Forbidden for a key that is no person's, for who asked, and for who changed the draft last.
     */
    async approve(actor: Actor, storyId: number, id: number): Promise<RequestView> {
      const draftId = await changing(async (session) => {
        await visibleStory(actor, storyId, 'write', session);
        const { draftId } = await openRequest({ storyId, id }, session);
        // In the order of locks: the story, then its draft.
        const live = await readSnapshot(storyId, session);
        if (live === undefined) throw new NotFound('Story');
        await lockStory(draftId, session);
        const request = await openRequest({ storyId, id, lock: true }, session);
        const draft = await requestedDraft(actor, { storyId, draftId }, session);
        await requireOther(actor, request, session);
        await approveRequest(
          id,
          { userId: actor.userId, version: draft.version, live: live.digest },
          session,
        );
        return draftId;
      });
      return view(actor, storyId, draftId);
    },

    /** Cancels a request; the draft stays. @throws NotFound; Conflict for a closed request. */
    async cancel(actor: Actor, storyId: number, id: number): Promise<RequestView> {
      const draftId = await changing(async (session) => {
        await visibleStory(actor, storyId, 'write', session);
        const request = await openRequest({ storyId, id, lock: true }, session);
        await cancelRequest(id, session);
        return request.draftId;
      });
      return view(actor, storyId, draftId);
    },

    /** Publishes the draft of an approved request. @throws as `promoteRequest` */
    promote: (actor: Actor, storyId: number, promotion: Promotion): Promise<PublishedStory> =>
      promoteRequest(actor, { storyId, ...promotion }, { database, publisher }),
  };
}

/** @throws Forbidden if the actor would approve its own work. */
async function requireOther(actor: Actor, request: ChangeRequest, session: Session): Promise<void> {
  if (actor.kind !== 'personal')
    throw new Forbidden('Changes must be approved by a user with a personal key');
  if (actor.userId === request.userId)
    throw new Forbidden('A different user than the requester must approve');
  const newest = await findNewestVersion(request.draftId, session);
  if (newest?.userId === actor.userId) {
    throw new Forbidden('A different user than the last editor of the draft must approve');
  }
}
