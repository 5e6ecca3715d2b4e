import { canWrite, requireTeam } from '../../access/auth/access.js';
import type { Actor } from '../../access/auth/actor.js';
import type { StockGuard } from '../../access/quotas/stock-guard.js';
import { Conflict, Forbidden, NotFound, Unprocessable } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import { retryLockConflicts } from '../../platform/mysql/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import type { StoryDiffer } from '../diff/story-differ.js';
import { type DraftRecord, findDraft, findDraftIds } from '../drafts/draft-store.js';
import { publishDraft } from '../drafts/publish-draft.js';
import { forgetStory } from '../forget-story.js';
import { viewStory } from '../settings/story-view.js';
import { lockStory } from '../edit/story-change-store.js';
import type { StoryChanges } from '../edit/story-changes.js';
import { createStoryEditor, lockedStory } from '../edit/story-editor.js';
import type { ImportedStory } from '../import/story-import.js';
import { findNewestVersion } from '../versions/version-store.js';
import { visibleStory } from '../visible-story.js';
import {
  approveRequest,
  cancelRequest,
  type ChangeRequest,
  closeRequest,
  findOpenRequest,
  findRequest,
  insertRequest,
} from './change-request-store.js';
import { type RequestView, readRequestView } from './request-view.js';

export interface ChangeRequestServiceDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  changes: StoryChanges;
  stock: StockGuard;
  differ: StoryDiffer;
}

/** The fields of a new request. */
export interface NewRequest {
  /** undefined: the story's only draft. */
  draftId: number | undefined;
  title: string;
  description: string | null;
}

/** How a request is promoted. */
export interface Promotion {
  id: number;
  deleteDraft: boolean;
  /** Why it needs no approval; undefined: it needs one. */
  bypassReason: string | undefined;
}

export type ChangeRequestService = ReturnType<typeof createChangeRequestService>;

/** Change requests, by which a draft becomes the story under change control (spec §3.19). */
export function createChangeRequestService({ database, changes, stock, differ }: ChangeRequestServiceDeps) {
  const editor = createStoryEditor({ database, changes });

  const changing = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
    retryLockConflicts(() => database.transaction(work));

  const view = async (actor: Actor, storyId: number, draftId?: number): Promise<RequestView> => {
    const { snapshots, ...found } = await database.transaction((session) =>
      readRequestView(actor, { storyId, draftId }, session),
    );
    if (snapshots === undefined) return { ...found, diff: undefined };
    const order = { ...snapshots, hideSecrets: !canWrite(actor, found.story.teamId), publishes: true };
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
        const draft = await draftOf(actor, { storyId, draftId: request.draftId }, session);
        if ((await findOpenRequest({ storyId, draftId: draft.id }, session)) !== undefined) {
          throw new Conflict('There is a change request for this draft; cancel it first');
        }
        const { title, description } = request;
        const row = { storyId, draftId: draft.id, title, description, userId: actor.userId };
        await insertRequest(row, session);
        return draft.id;
      });
      return view(actor, storyId, draftId);
    },

    /**
     * Approves a request for the draft as it is now.
     * @throws Forbidden for a key that is no person's, for who asked, and for who changed the draft last.
     */
    async approve(actor: Actor, storyId: number, id: number): Promise<RequestView> {
      const draftId = await changing(async (session) => {
        await visibleStory(actor, storyId, 'write', session);
        const { draftId } = await openRequest({ storyId, id }, session);
        await lockStory(draftId, session);
        const request = await openRequest({ storyId, id, lock: true }, session);
        const draft = await draftOf(actor, { storyId, draftId }, session);
        await requireOther(actor, request, session);
        await approveRequest(id, { userId: actor.userId, version: draft.version }, session);
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

    /**
     * Publishes the draft of an approved request, as a version named after its title.
     * @throws Conflict without a valid approval and for a locked story; Forbidden for a bypass by another than a team admin.
     */
    async promote(actor: Actor, storyId: number, promotion: Promotion): Promise<ImportedStory> {
      const { id, deleteDraft, bypassReason } = promotion;
      const { tenantId, userId } = actor;
      const asked = await database.read(async (session) => {
        await visibleStory(actor, storyId, 'write', session);
        return openRequest({ storyId, id }, session);
      });
      const description =
        bypassReason === undefined ? asked.description : `Without approval: ${bypassReason}`;
      const promoted = await editor.edit(actor, {
        storyId,
        part: 'graph',
        isApproved: true,
        version: { source: 'request', name: asked.title, description: description ?? undefined },
        async work(live, { session }) {
          await lockStory(asked.draftId, session);
          const request = await openRequest({ storyId, id, lock: true }, session);
          const draft = await draftOf(actor, { storyId, draftId: request.draftId }, session);
          if (bypassReason === undefined) requireApproval(request, draft);
          else requireTeam(actor, live.teamId, 'manage', 'Story');
          await closeRequest(id, { userId, bypassReason: bypassReason ?? null }, session);
          const warnings = await stock.within(tenantId, session, () =>
            publishDraft({ live, draft, tenantId, keepsDraft: !deleteDraft }, session),
          );
          return {
            story: await viewStory(await visibleStory(actor, storyId, 'read', session), session),
            warnings,
          };
        },
      });
      if (deleteDraft) await forgetStory(asked.draftId, { database, changes });
      return promoted;
    },
  };
}

/** Returns whether the request is approved for the draft as it is. */
function isApproved(
  { status, approvedVersion }: ChangeRequest,
  draft: Pick<DraftRecord, 'version'>,
): boolean {
  return status === 'APPROVED' && approvedVersion === draft.version;
}

function requireApproval(request: ChangeRequest, draft: DraftRecord): void {
  if (isApproved(request, draft)) return;
  throw new Conflict(
    request.status === 'APPROVED'
      ? 'The draft was changed after its approval; it needs another one'
      : 'The change request is not approved',
  );
}

/** @throws Forbidden if the actor would approve its own work. */
async function requireOther(actor: Actor, request: ChangeRequest, session: Session): Promise<void> {
  if (actor.kind !== 'personal')
    throw new Forbidden('A change is approved by a person, with a key of its own');
  if (actor.userId === request.userId) throw new Forbidden('Another user than who asked must approve');
  const newest = await findNewestVersion(request.draftId, session);
  if (newest?.userId === actor.userId) {
    throw new Forbidden('Another user than who changed the draft last must approve');
  }
}

async function openRequest(
  place: { storyId: number; id: number; lock?: boolean },
  session: Session,
): Promise<ChangeRequest> {
  const request = await findRequest(place, session);
  if (request === undefined) throw new NotFound('Change request');
  if (request.status === 'PENDING' || request.status === 'APPROVED') return request;
  throw new Conflict(`The change request is ${request.status.toLowerCase()}`);
}

async function draftOf(
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
