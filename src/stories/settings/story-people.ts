import { type Actor, visibleTeamIds } from '../../api/face.js';
import { findUser } from '../../people/face.js';
import { isDuplicateKey } from '../../platform/mysql/db-errors.js';
import type { Session } from '../../platform/mysql/session.js';
import { Conflict, NotFound, Unprocessable } from '../../platform/errors.js';
import { findExtra, updateStory } from '../edit/story-change-store.js';
import type { StoryEditor } from '../edit/story-editor.js';
import type { StoryRecord } from '../story/story-store.js';
import { visibleStory } from '../story/visible-story.js';
import { deleteOwner, insertOwner } from './owner-store.js';
import { isSameRecipient, isWebAddress, MOST_WEB_RECIPIENTS } from './recipient-field.js';
import { setRecipientSecret } from './recipient-secret-store.js';
import { readStorySettings } from './story-settings.js';
import { type StoryView, viewStory } from './story-view.js';
import { writeSettings } from './write-settings.js';

/** Most addresses that are told of one story's failures. */
const MOST_RECIPIENTS = 100;

/** A recipient to add. `secret` signs requests to it; undefined: they are not signed. */
export interface NewRecipient {
  address: string;
  secret?: string | undefined;
}

/**
 * Adds and removes the people who care for a story; each call answers the story. All throw NotFound and Forbidden for the
 * story.
 */
export function createStoryPeople(editor: StoryEditor) {
  const edit = (
    actor: Actor,
    storyId: number,
    work: (session: Session, story: StoryRecord) => Promise<void>,
  ) =>
    editor.edit(actor, {
      storyId,
      part: 'settings',
      async work(story, { session }): Promise<StoryView> {
        await work(session, story);
        return viewStory(await visibleStory(actor, storyId, 'read', session), session);
      },
    });

  return {
    /** @throws Conflict for an address that is there already; Unprocessable for one too many. */
    addRecipient: (actor: Actor, id: number, { address, secret }: NewRecipient) =>
      edit(actor, id, async (session) => {
        if (secret !== undefined && !isWebAddress(address)) throw unsignable();
        await changeRecipients(id, session, (recipients) => {
          if (recipients.some((each) => isSameRecipient(each, address)))
            throw known('address', `"${address}"`);
          requireRoom(recipients, address);
          return [...recipients, address];
        });
        if (isWebAddress(address)) await setRecipientSecret({ storyId: id, address }, secret, session);
      }),

    /** @throws NotFound for an address that is not there. */
    removeRecipient: (actor: Actor, id: number, address: string) =>
      edit(actor, id, async (session) => {
        await changeRecipients(id, session, (recipients) => {
          const rest = recipients.filter((each) => !isSameRecipient(each, address));
          if (rest.length === recipients.length) throw new NotFound('Recipient');
          return rest;
        });
        if (isWebAddress(address)) await setRecipientSecret({ storyId: id, address }, undefined, session);
      }),

    /** @throws NotFound for a user whom the actor may not see; Conflict for an owner. */
    addOwner: (actor: Actor, id: number, userId: number) =>
      edit(actor, id, async (session) => {
        await requireUser(actor, userId, session);
        await insertOwner(id, userId, session).catch((error: unknown) => {
          throw isDuplicateKey(error) ? known('user_id', `User ${userId}`) : error;
        });
      }),

    /** @throws NotFound for a user who is no owner. */
    removeOwner: (actor: Actor, id: number, userId: number) =>
      edit(actor, id, async (session) => {
        if (!(await deleteOwner(id, userId, session))) throw new NotFound('Owner');
      }),
  };
}

async function changeRecipients(
  id: number,
  session: Session,
  change: (recipients: string[]) => string[],
): Promise<void> {
  const extra = await findExtra(id, session);
  const recipients = change(readStorySettings(extra).recipients);
  await updateStory(id, { extra: writeSettings(extra, { recipients }) }, session);
}

/** @throws NotFound for a user whom the actor may not see. */
export async function requireUser(actor: Actor, userId: number, session: Session): Promise<void> {
  const { tenantId, isOwner } = actor;
  const seenBy = isOwner ? undefined : { teamIds: visibleTeamIds(actor), userId: actor.userId };
  if ((await findUser(userId, { tenantId, seenBy }, session)) === undefined) throw new NotFound('User');
}

function known(details: string, who: string): Conflict {
  return new Conflict([{ message: `${who} was already added`, details }]);
}

function unsignable(): Unprocessable {
  return new Unprocessable([
    { message: '"secret" is only supported for HTTP and HTTPS addresses', details: 'secret' },
  ]);
}

/** @throws Unprocessable for one recipient too many. */
function requireRoom(recipients: readonly string[], address: string): void {
  const isWeb = isWebAddress(address);
  const [count, most] = isWeb
    ? [recipients.filter(isWebAddress).length, MOST_WEB_RECIPIENTS]
    : [recipients.length, MOST_RECIPIENTS];
  if (recipients.length < MOST_RECIPIENTS && count < most) return;
  const message = `A story can have at most ${MOST_RECIPIENTS} recipients, of which ${MOST_WEB_RECIPIENTS} can be HTTP or HTTPS addresses`;
  throw new Unprocessable([{ message, details: 'address' }]);
}
