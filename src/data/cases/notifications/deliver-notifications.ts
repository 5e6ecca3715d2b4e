import type { Logger } from '../../../platform/logger.js';
import type { Database } from '../../../platform/mysql/database.js';
import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import type { HttpClient } from '../../../platform/outbound/http-exchange.js';
import { postSigned, type SendOutcome } from '../../../platform/outbound/signed-post.js';
import { workThrough } from '../../../platform/runtime/work-through.js';
import { backoffSeconds } from '../../../platform/time/backoff.js';
import type { TenantMailers } from '../../mails/tenant-mailers.js';
import { tryMail } from '../../mails/try-mail.js';
import { findCaseActivity } from '../links/case-activity-store.js';
import { caseUrl, presentCaseActivity, presentCase } from '../view/case-presenter.js';
import type { CaseActivity, CaseView } from '../case.js';
import type { CaseDatabase } from '../case-scene.js';
import { loadCases } from '../view/case-view-store.js';
import { findCases } from '../case-store.js';
import { notificationMail } from './notification-mail.js';
import {
  ANY_NOTIFICATION_DUE,
  ANY_OLD_FAILURE,
  type DueNotification,
  findReader,
  forgetFailed,
  leaseNotifications,
  postponeNotification,
  removeNotification,
} from './notification-store.js';
import { type CallAddress, findCallAddress } from './subscriber-store.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';

export interface NotificationDeps {
  database: CaseDatabase & Pick<Database, 'exists'>;
  http: Pick<HttpClient, 'request'>;
  mailers: Pick<TenantMailers, 'of'>;
  /** Returns a function that gives each row a unique idempotency key, also after a restore. */
  idempotencyKeys(): Promise<(row: Pick<DueNotification, 'id' | 'createdAt'>) => string>;
  /** Prefix of the addresses in notifications, without a trailing slash. */
  baseUrl: string;
  /** Returns the database's time. It is part of the signature, because receivers check its age. */
  nowMs(): Promise<number>;
  logger: Logger;
}

/** Number of notifications sent at the same time: half the connections of a small process's pool. */
const CONCURRENCY = 4;
/** With the delays below, the attempts span most of a day. */
const MAX_ATTEMPTS = 10;
const DELAY_SECONDS = { first: 30, most: 6 * 3600 };

/**
 * Sends at most `limit` due notifications of the outbox (spec §7.7): HTTP requests to subscriber URLs, mails to users.
 * Returns the number of due notifications. A failed one is retried later, with growing delays. Failures of the
 * receiver do not throw.
 */
export async function deliverDueNotifications(
  deps: NotificationDeps,
  limit: number,
  signal?: AbortSignal,
): Promise<number> {
  const { database } = deps;
  const [isDue, isOld] = await Promise.all([
    database.exists(ANY_NOTIFICATION_DUE),
    database.exists(ANY_OLD_FAILURE),
  ]);
  const lease = () => database.transaction((session) => leaseNotifications(limit, session));
  const due = isDue ? await retryLockConflicts(lease) : [];
  await workThrough(due, { atOnce: CONCURRENCY, signal }, async (next) =>
    settle(next, await attempt(next, deps, signal), deps),
  );
  if (isOld) await database.read((session) => forgetFailed(limit, session));
  return due.length;
}

async function settle(
  notification: DueNotification,
  outcome: SendOutcome,
  { database, logger }: NotificationDeps,
): Promise<void> {
  const { id, caseId, attempts } = notification;
  // Its lease expires, and another process sends it.
  if (outcome === 'interrupted') return;
  if (outcome === 'done') {
    return retryLockConflicts(() => database.read((session) => removeNotification(id, session)));
  }
  const { error, permanent } = outcome;
  const delaySeconds =
    permanent || attempts + 1 >= MAX_ATTEMPTS ? undefined : backoffSeconds(attempts, DELAY_SECONDS);
  if (delaySeconds === undefined) {
    logger.warn('gave up sending a case notification', { notification_id: id, case_id: caseId, error });
  }
  await retryLockConflicts(() =>
    database.read((session) => postponeNotification(id, { error, delaySeconds }, session)),
  );
}

async function attempt(
  notification: DueNotification,
  deps: NotificationDeps,
  signal: AbortSignal | undefined,
): Promise<SendOutcome> {
  const { subscriberId, userId } = notification;
  const { database } = deps;
  const address =
    subscriberId === null ? null : await database.read((session) => findCallAddress(subscriberId, session));
  if (address === undefined) return 'done';
  if (address !== null) return call(notification, address, deps, signal);
  return userId === null ? 'done' : mailTo({ ...notification, userId }, deps, signal);
}

/** Sends the current state of the case and the activity. Sends nothing if either was deleted. */
async function call(
  notification: DueNotification,
  { url, secret }: CallAddress,
  deps: NotificationDeps,
  signal: AbortSignal | undefined,
): Promise<SendOutcome> {
  const { caseId, activityId } = notification;
  const told = await deps.database.read(async (session) => {
    const activity = await findCaseActivity(caseId, activityId, session);
    const [stored] = await findCases([caseId], session);
    // Do not show linked cases of other teams to the URLs of this team.
    const [view] = stored === undefined ? [] : await loadCases([caseId], [stored.teamId], session);
    return activity && view && { activity, view };
  });
  if (told === undefined) return 'done';
  const body = Buffer.from(payloadOf(told.activity, told.view, deps.baseUrl));
  const post = {
    url,
    body,
    secret,
    nowMs: await deps.nowMs(),
    idempotencyKey: await markOf(notification, deps),
  };
  return postSigned(deps.http, post, signal);
}

/** Returns the body. The version is written by hand, because JSON.stringify would write 2 instead of 2.0. */
function payloadOf(activity: CaseActivity, view: CaseView, baseUrl: string): string {
  const shown = { activity: presentCaseActivity(activity), case: presentCase(view, baseUrl) };
  return `${stringifyJson(shown).slice(0, -1)},"version":2.0}`;
}

async function mailTo(
  notification: DueNotification & { userId: number },
  deps: NotificationDeps,
  signal: AbortSignal | undefined,
): Promise<SendOutcome> {
  const { caseId, activityId, subscriberId, userId } = notification;
  const told = await deps.database.read(async (session) => {
    const activity = await findCaseActivity(caseId, activityId, session);
    const [stored] = await findCases([caseId], session);
    const reader = stored && (await findReader(userId, stored.teamId, session));
    return activity && stored && reader && { activity, stored, to: reader.email };
  });
  if (told === undefined) return 'done';
  const messageId = `<${await markOf(notification, deps)}@fabula>`;
  const url = caseUrl(caseId, deps.baseUrl);
  const mail = notificationMail({ ...told, messageId, url, mentioned: subscriberId === null });
  return tryMail(deps.mailers, { tenantId: told.stored.tenantId, mail }, signal);
}

/** Returns the idempotency key, which is the same for every attempt, so that the receiver can detect a retry. */
async function markOf(notification: DueNotification, deps: NotificationDeps): Promise<string> {
  const mark = await deps.idempotencyKeys();
  return `case-${mark(notification)}`;
}
