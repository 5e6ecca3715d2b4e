import { claimUnreported, findUnreportedCredentials, type UnreportedCredential } from '../../../data/face.js';
import { isLockConflict } from '../../../platform/mysql/db-errors.js';
import { repeated } from '../../../platform/runtime/background-loop.js';
import { findMentionsIn } from '../../../stories/face.js';
import { type NewNotice, queueNotices } from '../outbox/notice-store.js';
import { noticesFor } from '../outbox/recipients.js';
import type { NotifierDeps } from './failure-notifier.js';
import { findActionNames, findStoriesToTell } from './naming-story-store.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import type { Notice } from '../outbox/notice.js';
import { aboutStory, type NotifiedStory } from './notify-story.js';

const BATCH = 20;
/** Further stories are not searched for the credential. */
const MOST_SEARCHED = 2_000;
/** Further stories that name it are left out. */
const MOST_STORIES = 50;
const MOST_ACTIONS = 20;
const PAUSE_MS = 30_000;

/**
 * Creates the finder of credentials that a person must connect, to notify recipients of the monitored stories that name them:
 * once, until the credential has worked again. `tick` reports one batch and returns its size. Any number of processes may
 * run it.
 */
export function createReconnectNotifier(deps: NotifierDeps) {
  const tick = async (signal?: AbortSignal): Promise<number> => {
    const credentials = await deps.database.read((session) => findUnreportedCredentials(BATCH, session));
    for (const credential of credentials) {
      if (signal?.aborted === true) break;
      await notify(credential, deps);
    }
    return credentials.length;
  };
  return repeated({
    tick,
    pauseAfter: (found: number) => (found === BATCH ? 0 : PAUSE_MS),
    restAfterErrorMs: PAUSE_MS,
    failure: 'could not send notices of credentials that need to be connected',
    logger: deps.logger,
  });
}

/** The claim and the outbox are one transaction. After a conflict it stays due. */
async function notify(credential: UnreportedCredential, deps: NotifierDeps): Promise<void> {
  const notices = await noticesOf(credential, deps);
  try {
    await deps.database.transaction(async (session) => {
      if (await claimUnreported(credential.id, session)) await queueNotices(notices, session);
    });
  } catch (error) {
    if (!isLockConflict(error)) throw error;
  }
}

async function noticesOf(credential: UnreportedCredential, { database, baseUrl }: NotifierDeps) {
  const stories = await database.read((session) => findStoriesToTell(credential, MOST_SEARCHED, session));
  const mentions = await findMentionsIn('CREDENTIAL', new Map(stories.map(({ id }) => [id, id])), database);
  const idsIn = ({ id }: NotifiedStory) => mentions.get(id)?.get(credential.slug) ?? [];
  const notices: NewNotice[] = [];
  for (const story of stories.filter((each) => idsIn(each).length > 0).slice(0, MOST_STORIES)) {
    const ids = idsIn(story).slice(0, MOST_ACTIONS);
    const actions = await database.read((session) => findActionNames(ids, session));
    const notice = reconnectNotice({ credential, story, actions, baseUrl });
    const { id: storyId, tenantId, teamId, recipients } = story;
    notices.push(...noticesFor(recipients, { tenantId, teamId, storyId, notice }));
  }
  return notices;
}

/** The facts of a notice about a credential that a person must connect. */
interface ReconnectFacts {
  credential: UnreportedCredential;
  story: NotifiedStory;
  /** The actions of the story that name it. */
  actions: readonly { id: number; name: string }[];
  /** Prefix of the addresses in it, without a trailing slash. */
  baseUrl: string;
}

/** Returns the notice that tells a story of a credential that a person must connect. */
function reconnectNotice({ credential, story, actions, baseUrl }: ReconnectFacts): Notice {
  const { id, name, reason, since } = credential;
  const about = aboutStory(story, { subject: `Connect the credential ${name}`, details: '', baseUrl });
  const details = `${baseUrl}/api/v1/user_credentials/${id}`;
  return {
    ...about,
    links: { ...about.links, details },
    kind: 'reconnect',
    title: `The credential "${name}" has needed to be connected since ${timestamp(since)}: ${reason}.`,
    lines: [
      `These actions of the story "${story.name}" wait for it, for up to three days:`,
      ...actions.map((action) => `- ${action.name}`),
      '',
      'Connect it on its page in the console. API URL:',
    ],
    actions: actions.map((action) => ({
      ...action,
      kind: 'reconnect',
      count: 0,
      error: reason,
      first_at: timestamp(since),
      last_at: null,
    })),
  };
}
