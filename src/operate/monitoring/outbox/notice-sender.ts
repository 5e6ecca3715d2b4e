import { randomUUID } from 'node:crypto';
import { insertAuditEntry } from '../../../people/face.js';
import { auditLiveEvent, type LiveEvents } from '../../../api/face.js';
import { type TenantMailers, tryMail } from '../../../data/face.js';
import type { Logger } from '../../../platform/logger.js';
import type { Database } from '../../../platform/mysql/database.js';
import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import type { HttpClient } from '../../../platform/outbound/http-exchange.js';
import { postSigned, type SendOutcome } from '../../../platform/outbound/signed-post.js';
import { repeated } from '../../../platform/runtime/background-loop.js';
import { workThrough } from '../../../platform/runtime/work-through.js';
import { backoffSeconds } from '../../../platform/time/backoff.js';
import { noticeBody } from './notice-body.js';
import { givenUpEntry } from './notice-failure.js';
import { noticeMail } from './notice-mail.js';
import {
  ANY_NOTICE_DUE,
  ANY_OLD_NOTICE,
  forgetOldNotices,
  leaseNotices,
  settleNotice,
  type StoredNotice,
} from './notice-store.js';
import { findNoticeSecret } from './notice-secret-store.js';

export interface NoticeSenderDeps {
  database: Pick<Database, 'exists' | 'read' | 'transaction'>;
  http: Pick<HttpClient, 'request'>;
  mailers: Pick<TenantMailers, 'of'>;
  /** Returns a function that gives each row a unique key, also after a restore. */
  idempotencyKeys(): Promise<(row: Pick<StoredNotice, 'id' | 'createdAt'>) => string>;
  /** Returns the database's time, which signatures have. */
  nowMs(): Promise<number>;
  logger: Logger;
  liveEvents?: Pick<LiveEvents, 'add'>;
}

const BATCH = 20;
const AT_ONCE = 4;
const PAUSE_MS = 5_000;
const PAUSE_AFTER_ERROR_MS = 30_000;
const OLD_ROWS = 1_000;
/** With the delays, the attempts span more than an hour. */
const MAX_ATTEMPTS = 6;
const DELAY_SECONDS = { first: 60, most: 3600 };
const MAIL_LIMIT_MS = 120_000;
const TOO_SLOW = { error: `The mail was not sent within ${MAIL_LIMIT_MS / 1000} s`, permanent: false };

/**
 * Creates the sender of the notices in the outbox: mails, and signed JSON to addresses (spec §10). `tick` sends a batch of
 * due ones, and returns their number. Any number of processes may run it. A notice is sent twice only if a process
 * dies after sending it, or its answer is lost.
 */
export function createNoticeSender(deps: NoticeSenderDeps) {
  const { database } = deps;
  const tick = async (signal?: AbortSignal): Promise<number> => {
    const lease = randomUUID();
    const [isDue, isOld] = await Promise.all([
      database.exists(ANY_NOTICE_DUE),
      database.exists(ANY_OLD_NOTICE),
    ]);
    const due = isDue
      ? await retryLockConflicts(() =>
          database.transaction((session) => leaseNotices({ lease, limit: BATCH }, session)),
        )
      : [];
    await workThrough(due, { atOnce: AT_ONCE, signal }, async (next) =>
      settle(next, { lease, outcome: await send(next, deps, signal) }, deps),
    );
    if (isOld) await database.read((session) => forgetOldNotices(OLD_ROWS, session));
    return due.length;
  };
  return repeated({
    tick,
    pauseAfter: (sent: number) => (sent === BATCH ? 0 : PAUSE_MS),
    restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
    failure: 'could not send notices',
    logger: deps.logger,
  });
}

async function send(
  stored: StoredNotice,
  deps: NoticeSenderDeps,
  signal: AbortSignal | undefined,
): Promise<SendOutcome> {
  const { database, http, mailers } = deps;
  const { tenantId, recipients, channel, notice } = stored;
  const mark = `notice-${(await deps.idempotencyKeys())(stored)}`;
  if (channel === 'mail') {
    const mail = noticeMail(notice, { messageId: `<${mark}@fabula>`, recipients });
    const outcome = await tryMail(mailers, { tenantId, mail }, limited(signal));
    return outcome === 'interrupted' && signal?.aborted !== true ? TOO_SLOW : outcome;
  }
  const [url = ''] = recipients;
  const secret = await database.read((session) => findNoticeSecret(stored, url, session));
  const post = {
    url,
    secret,
    body: noticeBody(stored),
    idempotencyKey: mark,
    nowMs: await deps.nowMs(),
    group: tenantId,
  };
  return postSigned(http, post, signal);
}

function limited(signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(MAIL_LIMIT_MS);
  return signal === undefined ? limit : AbortSignal.any([signal, limit]);
}

async function settle(
  stored: StoredNotice,
  { lease, outcome }: { lease: string; outcome: SendOutcome },
  { database, logger, liveEvents }: NoticeSenderDeps,
): Promise<void> {
  const { id, tenantId, storyId, attempts } = stored;
  // Its lease expires, and another process sends it.
  if (outcome === 'interrupted') return;
  if (outcome === 'done') {
    await retryLockConflicts(() => database.read((session) => settleNotice({ id, lease }, session)));
    return;
  }
  const { error, permanent } = outcome;
  const delaySeconds =
    permanent || attempts + 1 >= MAX_ATTEMPTS ? undefined : backoffSeconds(attempts, DELAY_SECONDS);
  const isGivenUp = await retryLockConflicts(() =>
    database.transaction(async (session) => {
      const isOwn = await settleNotice({ id, lease, error, delaySeconds }, session);
      if (!isOwn || delaySeconds !== undefined) return false;
      await insertAuditEntry(givenUpEntry(stored, storyId === null ? 'team' : 'story'), session);
      return true;
    }),
  );
  if (isGivenUp) liveEvents?.add(auditLiveEvent(tenantId));
  const message = delaySeconds === undefined ? 'gave up sending a notice' : 'could not send a notice';
  logger.warn(message, { notice_id: id, story_id: storyId, error });
}
