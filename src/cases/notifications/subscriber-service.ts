import { randomBytes } from 'node:crypto';
import type { Actor } from '../../auth/actor.js';
import type { Page, Window } from '../../db/page-query.js';
import { Conflict, NotFound, Unprocessable } from '../../errors.js';
import { CASE_LIMITS } from '../case.js';
import { findPeople, refuse } from '../case-people.js';
import { type CaseDatabase, type CaseScene, changeCase, readableCase, requireRoom } from '../case-scene.js';
import {
  allSubscribers,
  type CaseSubscriber,
  insertSubscriber,
  listSubscribers,
  removeSubscriber,
} from './subscriber-store.js';
import { findReader } from './notification-store.js';

/** An address, or a user. */
export type NewSubscriber = { url: string; secret?: string | undefined } | { userEmail: string };

/** A subscriber that was just made: the only time its secret is shown. */
export type MadeSubscriber = CaseSubscriber & { secret: string | undefined };

export type SubscriberService = ReturnType<typeof createSubscriberService>;

/** Who hears of changes of a case (decisions §7). */
export function createSubscriberService({ database }: { database: CaseDatabase }) {
  return {
    list: (actor: Actor, caseId: number, window: Window): Promise<Page<CaseSubscriber>> =>
      database.read(async (session) => {
        await readableCase(actor, caseId, session);
        return listSubscribers(caseId, window, session);
      }),

    /** @throws Unprocessable for a user that is unknown or may not see the case; Conflict for one, or an address, that hears of it already. */
    add: (actor: Actor, caseId: number, wanted: NewSubscriber): Promise<MadeSubscriber> =>
      changeCase(database, actor, caseId, async (scene) => {
        const known = await allSubscribers(caseId, scene.session);
        requireRoom(known.length, CASE_LIMITS.subscribers, 'subscribers');
        return 'url' in wanted ? addUrl(scene, known, wanted) : addUser(scene, known, wanted.userEmail);
      }),

    /** @throws NotFound when the case has no such subscriber. */
    remove: (actor: Actor, caseId: number, id: number): Promise<void> =>
      changeCase(database, actor, caseId, async ({ session }) => {
        const removed = await removeSubscriber(caseId, id, session);
        if (!removed) throw new NotFound('Subscriber');
      }),
  };
}

async function addUrl(
  scene: CaseScene,
  known: CaseSubscriber[],
  wanted: { url: string; secret?: string | undefined },
): Promise<MadeSubscriber> {
  const { url, secret = randomBytes(32).toString('hex') } = wanted;
  if (known.some((subscriber) => subscriber.url === url)) throw subscribedAlready('url');
  return made(scene, await insertSubscriber(scene.stored.id, { url, secret }, scene.session), secret);
}

async function addUser(scene: CaseScene, known: CaseSubscriber[], email: string): Promise<MadeSubscriber> {
  const people = await findPeople({ user_email: email }, scene.actor.tenantId, scene.session);
  refuse(people.problems);
  const [user] = people.of([email]);
  if (user === undefined) throw new NotFound('User');
  if (known.some((subscriber) => subscriber.user?.id === user.id)) throw subscribedAlready('user_email');
  if ((await findReader(user.id, scene.stored.teamId, scene.session)) === undefined) {
    const message = `${user.email} is no person who may see the cases of this team`;
    throw new Unprocessable([{ message, details: 'user_email' }]);
  }
  return made(scene, await insertSubscriber(scene.stored.id, { userId: user.id }, scene.session), undefined);
}

function subscribedAlready(details: string): Conflict {
  return new Conflict([{ message: `${details} is a subscriber of this case already`, details }]);
}

async function made(scene: CaseScene, id: number, secret: string | undefined): Promise<MadeSubscriber> {
  const subscriber = (await allSubscribers(scene.stored.id, scene.session)).find((each) => each.id === id);
  if (subscriber === undefined) throw new NotFound('Subscriber');
  return { ...subscriber, secret };
}
