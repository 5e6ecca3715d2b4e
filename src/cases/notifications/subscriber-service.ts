import { randomBytes } from 'node:crypto';
import { canWrite } from '../../access/auth/access.js';
import type { Actor } from '../../access/auth/actor.js';
import type { Page, Window } from '../../platform/mysql/page-query.js';
import { Conflict, NotFound, type Problem } from '../../platform/errors.js';
import { HIDDEN, hideInText } from '../../platform/text/hidden-secrets.js';
import { CASE_LIMITS, type CaseUser } from '../case.js';
import { findPeople, refuse } from '../case-people.js';
import {
  type CaseDatabase,
  type CaseLook,
  type CaseScene,
  changeCase,
  checkCaseChange,
  readPart,
  requireRoom,
} from '../case-scene.js';
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

/** A subscriber that was just created. Its secret is shown only once. */
export type MadeSubscriber = CaseSubscriber & { secret: string | undefined };

export type SubscriberService = ReturnType<typeof createSubscriberService>;

/** Creates the service of subscribers, who are notified of changes of a case (spec §7.7). */
export function createSubscriberService({ database }: { database: CaseDatabase }) {
  return {
    list: (actor: Actor, caseId: number, window: Window): Promise<Page<CaseSubscriber>> =>
      readPart(database, actor, caseId, async ({ stored, session }) => {
        const { items, total } = await listSubscribers(caseId, window, session);
        return { items: canWrite(actor, stored.teamId) ? items : items.map(withoutSecret), total };
      }),

    /** @throws Unprocessable for a user who is unknown or may not see the case; Conflict for an existing subscriber. */
    add: (actor: Actor, caseId: number, wanted: NewSubscriber): Promise<MadeSubscriber> =>
      changeCase(database, actor, caseId, async (scene) => {
        const known = await allSubscribers(caseId, scene.session);
        requireRoom(known.length, CASE_LIMITS.subscribers, 'subscribers');
        return 'url' in wanted ? addUrl(scene, known, wanted) : addUser(scene, known, wanted.userEmail);
      }),

    /** Returns the problems of the user, if one is named. @throws NotFound and Forbidden as `add`. */
    check: (actor: Actor, caseId: number, userEmail: string | undefined): Promise<Problem[]> =>
      checkCaseChange(database, actor, caseId, async (look) =>
        userEmail === undefined ? [] : (await findUser(actor, look, userEmail)).problems,
      ),

    /** @throws NotFound if the case has no such subscriber. */
    remove: (actor: Actor, caseId: number, id: number): Promise<void> =>
      changeCase(database, actor, caseId, async ({ session }) => {
        const removed = await removeSubscriber(caseId, id, session);
        if (!removed) throw new NotFound('Subscriber');
      }),
  };
}

/** Hides secrets in the address, because the address of a webhook lets its reader start runs. Returns a valid URL. */
function withoutSecret(subscriber: CaseSubscriber): CaseSubscriber {
  const { url } = subscriber;
  return url === null ? subscriber : { ...subscriber, url: hideInText(url).replaceAll(HIDDEN, 'hidden') };
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
  const { user, problems } = await findUser(scene.actor, scene, email);
  refuse(problems);
  if (user === undefined) throw new NotFound('User');
  if (known.some((subscriber) => subscriber.user?.id === user.id)) throw subscribedAlready('user_email');
  return made(scene, await insertSubscriber(scene.stored.id, { userId: user.id }, scene.session), undefined);
}

/** Returns the user with this address, and the problems that prevent a subscription. */
async function findUser(
  { tenantId }: Actor,
  { stored, session }: CaseLook,
  email: string,
): Promise<{ user: CaseUser | undefined; problems: Problem[] }> {
  const people = await findPeople({ user_email: email }, tenantId, session);
  const [user] = people.of([email]);
  const isReader = user === undefined || (await findReader(user.id, stored.teamId, session)) !== undefined;
  if (isReader) return { user, problems: people.problems };
  const message = `${user.email} is not a person who may see the cases of this team`;
  return { user, problems: [{ message, details: 'user_email' }] };
}

function subscribedAlready(details: string): Conflict {
  return new Conflict([{ message: `${details} is a subscriber of this case already`, details }]);
}

async function made(scene: CaseScene, id: number, secret: string | undefined): Promise<MadeSubscriber> {
  const subscriber = (await allSubscribers(scene.stored.id, scene.session)).find((each) => each.id === id);
  if (subscriber === undefined) throw new NotFound('Subscriber');
  return { ...subscriber, secret };
}
