import type { Logger } from '../../platform/logger.js';
import { messageOf, PermanentJobError } from '../../platform/errors.js';
import type { HttpClient } from '../../platform/outbound/http-exchange.js';
import type { TenantMailers } from '../../mails/tenant-mailers.js';
import { findActivity } from '../case-activity-store.js';
import { caseUrl, presentActivity, presentCase } from '../case-presenter.js';
import type { CaseActivity, CaseView } from '../case.js';
import type { CaseDatabase } from '../case-scene.js';
import { loadCases } from '../case-view-store.js';
import { findCases } from '../case-store.js';
import { SIGNATURE_HEADER_NAME, signCall } from './call-signature.js';
import { notificationMail } from './notification-mail.js';
import {
  type DueNotification,
  findReader,
  forgetFailed,
  leaseNotifications,
  postponeNotification,
  removeNotification,
} from './notification-store.js';
import { type CallAddress, findCallAddress } from './subscriber-store.js';

export interface NotificationDeps {
  database: CaseDatabase;
  http: Pick<HttpClient, 'request'>;
  mailers: Pick<TenantMailers, 'of'>;
  /** What gives each row a mark that is never another's, also after a restore. */
  marks(): Promise<(row: Pick<DueNotification, 'id' | 'createdAt'>) => string>;
  /** Begins the addresses in what is sent; without a slash at its end. */
  baseUrl: string;
  /** What time it is for the database: calls are signed with it, for receivers that check their age. */
  nowMs(): Promise<number>;
  logger: Logger;
}

/** Sent at the same time: half of what the pool of a small process allows. */
const CONCURRENCY = 4;
const CALL_TIMEOUT_MS = 10_000;
/** Most of a day in all, with the delays below. */
const MAX_ATTEMPTS = 10;
const FIRST_DELAY_SECONDS = 30;
const MAX_DELAY_SECONDS = 6 * 3600;

/** What came of one attempt. */
type Outcome = 'done' | 'interrupted' | { error: string; permanent: boolean };

/**
 * Sends what is due of the outbox, at most `limit` (spec §7.7): calls to subscriber URLs, mails to users. Gives
 * how many notifications were taken up. What cannot be delivered is tried again later, the more often it failed
 * the later; nothing is thrown for what the other side does.
 */
export async function deliverDueNotifications(
  deps: NotificationDeps,
  limit: number,
  signal?: AbortSignal,
): Promise<number> {
  const { database } = deps;
  const due = await database.transaction((session) => leaseNotifications(limit, session));
  const waiting = [...due];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (signal?.aborted === true) return;
      await settle(next, await attempt(next, deps, signal), deps);
    }
  };
  // All of them come to their end before an error of one is thrown: nothing goes on behind the caller's back.
  const ends = await Promise.allSettled(Array.from({ length: Math.min(CONCURRENCY, due.length) }, work));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  await database.read((session) => forgetFailed(limit, session));
  return due.length;
}

async function settle(
  notification: DueNotification,
  outcome: Outcome,
  { database, logger }: NotificationDeps,
): Promise<void> {
  const { id, caseId, attempts } = notification;
  // Its lease ends by itself, and somebody else takes it up.
  if (outcome === 'interrupted') return;
  if (outcome === 'done') return database.read((session) => removeNotification(id, session));
  const { error, permanent } = outcome;
  const delaySeconds = permanent || attempts + 1 >= MAX_ATTEMPTS ? undefined : backoffSeconds(attempts);
  if (delaySeconds === undefined) {
    logger.warn('a case notification was given up', { notification_id: id, case_id: caseId, error });
  }
  await database.read((session) => postponeNotification(id, { error, delaySeconds }, session));
}

/** Triples, with some randomness, so that what failed together does not come back together. */
function backoffSeconds(attempts: number): number {
  const delay = Math.min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 3 ** attempts);
  return Math.ceil(delay * (0.75 + Math.random() / 4));
}

async function attempt(
  notification: DueNotification,
  deps: NotificationDeps,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { subscriberId, userId } = notification;
  const { database } = deps;
  const address =
    subscriberId === null ? null : await database.read((session) => findCallAddress(subscriberId, session));
  if (address === undefined) return 'done';
  if (address !== null) return call(notification, address, deps, signal);
  return userId === null ? 'done' : mail({ ...notification, userId }, deps, signal);
}

/** What is told is the case and the activity as they are when it is told; a deleted one is not told any more. */
async function call(
  notification: DueNotification,
  { url, secret }: CallAddress,
  deps: NotificationDeps,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { caseId, activityId } = notification;
  const told = await deps.database.read(async (session) => {
    const activity = await findActivity(caseId, activityId, session);
    const [stored] = await findCases([caseId], session);
    // Of other teams' cases, what is linked is not shown to the team's URLs.
    const [view] = stored === undefined ? [] : await loadCases([caseId], [stored.teamId], session);
    return activity && view && { activity, view };
  });
  if (told === undefined) return 'done';
  const body = Buffer.from(payloadOf(told.activity, told.view, deps.baseUrl));
  const answer = await deps.http.request({
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': await markOf(notification, deps),
      [SIGNATURE_HEADER_NAME.toLowerCase()]: signCall({ url, body, secret, nowMs: await deps.nowMs() }),
    },
    body,
    timeoutMs: CALL_TIMEOUT_MS,
    // The signature is for this very address.
    followRedirects: false,
    ...(signal === undefined ? {} : { signal }),
  });
  if (!answer.answered) {
    return answer.interrupted ? 'interrupted' : { error: answer.reason, permanent: false };
  }
  if (answer.status >= 200 && answer.status < 300) return 'done';
  return { error: `The answer had the status ${answer.status}`, permanent: false };
}

/** The version is written as receivers know it: with a decimal, which JavaScript would leave out. */
function payloadOf(activity: CaseActivity, view: CaseView, baseUrl: string): string {
  const shown = { activity: presentActivity(activity), case: presentCase(view, baseUrl) };
  return `${JSON.stringify(shown).slice(0, -1)},"version":2.0}`;
}

async function mail(
  notification: DueNotification & { userId: number },
  deps: NotificationDeps,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { caseId, activityId, subscriberId, userId } = notification;
  const told = await deps.database.read(async (session) => {
    const activity = await findActivity(caseId, activityId, session);
    const [stored] = await findCases([caseId], session);
    const reader = stored && (await findReader(userId, stored.teamId, session));
    return activity && stored && reader && { activity, stored, to: reader.email };
  });
  if (told === undefined) return 'done';
  const messageId = `<${await markOf(notification, deps)}@fabula>`;
  const url = caseUrl(caseId, deps.baseUrl);
  try {
    await deps.mailers
      .of(told.stored.tenantId, () => undefined)
      .send(notificationMail({ ...told, messageId, url, mentioned: subscriberId === null }), signal);
    return 'done';
  } catch (error) {
    if (signal?.aborted === true) return 'interrupted';
    return { error: messageOf(error), permanent: error instanceof PermanentJobError };
  }
}

/** The same for every attempt, so that the other side can tell a repetition. */
async function markOf(notification: DueNotification, deps: NotificationDeps): Promise<string> {
  const mark = await deps.marks();
  return `case-${mark(notification)}`;
}
