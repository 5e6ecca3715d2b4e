import type { Actor } from '../../../api/face.js';
import type { Page, Window } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import { NotFound, type Problem } from '../../../platform/errors.js';
import type { CaseActivity } from '../case.js';
import {
  deleteActivity,
  findCaseActivity,
  listActivities,
  updateActivity,
} from '../links/case-activity-store.js';
import { findPeople, refuseCasePeople } from '../people/case-people.js';
import { type CaseDatabase, type CaseScene, changeCase, checkCaseChange, readPart } from '../case-scene.js';
import { mentionedIds, newlyMentioned } from '../people/mentions.js';
import { queueForMentioned } from '../notifications/notification-store.js';
import type { Usable } from '../../../platform/validation/partial-input.js';

export interface CommentBody {
  value: string;
  author_email?: string | null;
}

export type CommentService = ReturnType<typeof createCommentService>;

/** Activities of a case and, among them, its comments (spec §7.4). */
export function createCommentService({ database }: { database: CaseDatabase }) {
  const read = <T>(actor: Actor, caseId: number, work: (session: Session) => Promise<T>): Promise<T> =>
    readPart(database, actor, caseId, ({ session }) => work(session));

  return {
    /** Returns a page of the activities of the case, oldest first; only those of `type` if given. */
    activities: (
      actor: Actor,
      { caseId, type }: { caseId: number; type?: string | undefined },
      window: Window,
    ): Promise<Page<CaseActivity>> =>
      read(actor, caseId, (session) => listActivities(caseId, type, window, session)),

    /** @throws NotFound if the case has no such activity. */
    activity: (actor: Actor, caseId: number, id: number): Promise<CaseActivity> =>
      read(actor, caseId, async (session) => {
        const activity = await findCaseActivity(caseId, id, session);
        if (activity === undefined) throw new NotFound('Activity');
        return activity;
      }),

    /** Returns a page of the comments, oldest first. */
    list: (actor: Actor, caseId: number, window: Window): Promise<Page<CaseActivity>> =>
      read(actor, caseId, (session) => listActivities(caseId, 'COMMENTED', window, session)),

    get: (actor: Actor, caseId: number, id: number): Promise<CaseActivity> =>
      read(actor, caseId, (session) => getComment(caseId, id, session)),

    /** Adds a comment of the actor, or of the user with `author_email`. @throws Unprocessable if that user is unknown. */
    add: (actor: Actor, caseId: number, body: CommentBody): Promise<CaseActivity> =>
      changeCase(database, actor, caseId, async (scene) => {
        const { value, author_email } = body;
        const people = await findPeople({ author_email }, actor.tenantId, scene.session);
        refuseCasePeople(people.problems);
        const [author] = people.of(author_email ? [author_email] : []);
        const userId = author?.id ?? actor.userId;
        const id = await scene.note('COMMENTED', value, { userId, mentions: mentionedIds(value) });
        return getComment(caseId, id, scene.session);
      }),

    /** Returns the problems in the valid parts of a comment. @throws NotFound and Forbidden as `add`. */
    checkAdd: (actor: Actor, caseId: number, { author_email }: Usable<CommentBody>): Promise<Problem[]> =>
      checkCaseChange(
        database,
        actor,
        caseId,
        async ({ session }) => (await findPeople({ author_email }, actor.tenantId, session)).problems,
      ),

    /** @throws NotFound and Forbidden as `update`. */
    checkUpdate: (actor: Actor, caseId: number, id: number): Promise<Problem[]> =>
      checkCaseChange(database, actor, caseId, async ({ session }) => {
        await getComment(caseId, id, session);
      }),

    /** Replaces the comment's text, and notifies users who were not mentioned before. */
    update: (actor: Actor, caseId: number, id: number, value: string): Promise<CaseActivity> =>
      changeCase(database, actor, caseId, async (scene) => {
        const comment = await getComment(caseId, id, scene.session);
        await updateActivity(id, { value, actingUserId: actor.userId }, scene.session);
        await tellMentioned(scene, comment, value);
        return getComment(caseId, id, scene.session);
      }),

    /** Deletes the comment with its text, and adds an activity with the comment's id as text. */
    remove: (actor: Actor, caseId: number, id: number): Promise<void> =>
      changeCase(database, actor, caseId, async (scene) => {
        await deleteActivity(await getComment(caseId, id, scene.session), scene.session);
        await scene.note('DELETED_COMMENT', String(id));
      }),
  };
}

async function getComment(caseId: number, id: number, session: Session): Promise<CaseActivity> {
  const comment = await findCaseActivity(caseId, id, session, 'COMMENTED');
  if (comment === undefined) throw new NotFound('Comment');
  return comment;
}

async function tellMentioned(scene: CaseScene, comment: CaseActivity, value: string): Promise<void> {
  const mentions = newlyMentioned(comment.value, value);
  if (mentions.length === 0) return;
  const announcement = { caseId: comment.caseId, activityId: comment.id, userId: scene.actor.userId };
  await queueForMentioned(announcement, mentions, scene.session);
}
