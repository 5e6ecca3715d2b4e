import { randomBytes } from 'node:crypto';
import { type Actor, canWrite } from '../../../api/face.js';
import type { Page, Window } from '../../../platform/mysql/statements/page-query.js';
import { Conflict, NotFound, type Problem } from '../../../platform/errors.js';
import type { Usable } from '../../../platform/validation/partial-input.js';
import { HIDDEN, hideInText } from '../../../platform/secrets/hidden-secrets.js';
import { CASE_LIMITS, type CaseUser } from '../case.js';
import { type EmailFields, findPeople, refuseCasePeople } from '../people/case-people.js';
import {
  type CaseDatabase,
  type CaseLook,
  type CaseScene,
  changeCase,
  checkCaseChange,
  readPart,
  requireCaseCapacity,
} from '../case-scene.js';
import {
  allSubscribers,
  type CaseSubscriber,
  insertSubscriber,
  insertUsers,
  listSubscribers,
  removeSubscriber,
} from './subscriber-store.js';
import { findReaders } from './notification-store.js';

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

    /**
     * Subscribes an address or a user. Returns the subscription, that of before for a user who has one.
     * @throws Unprocessable for a user who is unknown or may not see the case; Conflict for an existing address.
     */
    add: (actor: Actor, caseId: number, wanted: NewSubscriber): Promise<MadeSubscriber> =>
      changeCase(database, actor, caseId, async (scene) => {
        const known = await allSubscribers(caseId, scene.session);
        return 'url' in wanted ? addUrl(scene, known, wanted) : addUser(scene, known, wanted.userEmail);
      }),

    /** Returns the problems of the user, if one is named. @throws NotFound and Forbidden as `add`. */
    check: (actor: Actor, caseId: number, userEmail: string | undefined): Promise<Problem[]> =>
      checkCaseChange(database, actor, caseId, async (look) =>
        userEmail === undefined ? [] : (await findUsers(actor, look, { user_email: userEmail })).problems,
      ),

    /**
     * Subscribes the users with these addresses; existing subscribers stay. Returns their subscriptions.
     * @throws Unprocessable that names each user who is unknown or may not see the case; then nobody is subscribed.
     */
    addUsers: (actor: Actor, caseId: number, emails: readonly string[]): Promise<CaseSubscriber[]> =>
      changeCase(database, actor, caseId, async (scene) => {
        const { users, problems } = await findUsers(actor, scene, { user_emails: emails });
        refuseCasePeople(problems);
        const known = await allSubscribers(caseId, scene.session);
        const subscribed = new Set(known.map(({ user }) => user?.id));
        const fresh = users.filter(({ id }) => !subscribed.has(id)).map(({ id }) => id);
        requireCaseCapacity(known.length + fresh.length - 1, CASE_LIMITS.subscribers, 'subscribers');
        await insertUsers(caseId, fresh, scene.session);
        const wanted = new Set(users.map(({ id }) => id));
        const all = await allSubscribers(caseId, scene.session);
        return all.filter(({ user }) => user !== undefined && wanted.has(user.id));
      }),

    /** Returns the problems of the users that are named. @throws NotFound and Forbidden as `addUsers`. */
    checkUsers: (actor: Actor, caseId: number, emails: Usable<string[]> = []): Promise<Problem[]> =>
      checkCaseChange(
        database,
        actor,
        caseId,
        async (look) => (await findUsers(actor, look, { user_emails: emails })).problems,
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
  if (known.some((subscriber) => subscriber.url === url)) throw subscribedAlready();
  requireCaseCapacity(known.length, CASE_LIMITS.subscribers, 'subscribers');
  return made(scene, await insertSubscriber(scene.stored.id, { url, secret }, scene.session), secret);
}

async function addUser(scene: CaseScene, known: CaseSubscriber[], email: string): Promise<MadeSubscriber> {
  const { users, problems } = await findUsers(scene.actor, scene, { user_email: email });
  const [user] = users;
  refuseCasePeople(problems);
  if (user === undefined) throw new NotFound('User');
  const before = known.find((subscriber) => subscriber.user?.id === user.id);
  if (before !== undefined) return { ...before, secret: undefined };
  requireCaseCapacity(known.length, CASE_LIMITS.subscribers, 'subscribers');
  return made(scene, await insertSubscriber(scene.stored.id, { userId: user.id }, scene.session), undefined);
}

/** Returns the users with these addresses, each once, and the problems that prevent a subscription. */
async function findUsers(
  { tenantId }: Actor,
  { stored, session }: CaseLook,
  fields: EmailFields,
): Promise<{ users: CaseUser[]; problems: Problem[] }> {
  const people = await findPeople(fields, tenantId, session);
  const users = people.of(people.places.map(({ email }) => email));
  const readers = await findReaders(
    users.map(({ id }) => id),
    stored.teamId,
    session,
  );
  const strangers = people.places.flatMap(({ email, details }): Problem[] => {
    const [user] = people.of([email]);
    if (user === undefined || readers.has(user.id)) return [];
    return [{ message: `${user.email} is not a user with access to the cases of this team`, details }];
  });
  return { users, problems: [...people.problems, ...strangers] };
}

function subscribedAlready(): Conflict {
  return new Conflict([{ message: 'url is already a subscriber of this case', details: 'url' }]);
}

async function made(scene: CaseScene, id: number, secret: string | undefined): Promise<MadeSubscriber> {
  const subscriber = (await allSubscribers(scene.stored.id, scene.session)).find((each) => each.id === id);
  if (subscriber === undefined) throw new NotFound('Subscriber');
  return { ...subscriber, secret };
}
