import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { type AuditEntry, insertAuditEntry } from '../../../people/face.js';
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
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import { type Notice, noticeText } from './notice.js';
import type { Mail } from '../../../platform/outbound/mail/mail.js';
import { escapeHtml } from '../../../platform/text/escape-html.js';
import {
  ANY_NOTICE_DUE,
  ANY_OLD_NOTICE,
  forgetOldNotices,
  leaseNotices,
  settleNotice,
  type StoredNotice,
} from './notice-store.js';
import { findNoticeSecret } from './notice-secret-store.js';

/** Status of the entry: whoever should have passed the notice on did not. */
const BAD_GATEWAY = 502;

const BODY_VERSION = 1;

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
 * dies after sending it, or its response is lost.
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

/**
 * Returns the JSON body of a notice for an address (spec §10). Chat servers show its `text`. `action` is the first of
 * `actions`, which has the most.
 */
export function noticeBody({ id, teamId, createdAt, notice }: StoredNotice): Buffer {
  const { kind, story, actions, links, subject } = notice;
  const times = (name: 'first_at' | 'last_at') => actions.flatMap((action) => action[name] ?? []).toSorted();
  return Buffer.from(
    stringifyJson({
      version: BODY_VERSION,
      id,
      kind,
      created_at: timestamp(createdAt),
      team_id: teamId,
      story,
      action: actions[0] ?? null,
      actions,
      count: actions.reduce((sum, { count }) => sum + count, 0),
      first_at: times('first_at')[0] ?? null,
      last_at: times('last_at').at(-1) ?? null,
      links,
      subject,
      text: noticeText(notice).trim(),
    }),
  );
}

/** Returns the entry of the audit log about a notice that was given up. */
function givenUpEntry({ id, tenantId, teamId, storyId }: StoredNotice, target: 'story' | 'team'): AuditEntry {
  const targetId = target === 'story' ? storyId : teamId;
  return {
    guid: uuidv7(),
    tenantId,
    teamId,
    userId: null,
    userEmail: null,
    keyId: null,
    sessionId: null,
    action: `${target}.notice_failed`,
    targetType: target,
    targetId,
    method: 'SYSTEM',
    path: `/${target === 'story' ? 'stories' : 'teams'}/${targetId}/notices/${id}`,
    ip: null,
    userAgent: null,
    requestId: `notice-${id}`,
    reason: null,
    status: BAD_GATEWAY,
    changes: null,
    createdAt: new Date(),
  };
}

/** Returns the mail of a notice; each recipient sees itself alone. */
function noticeMail(notice: Notice, to: { messageId: string; recipients: readonly string[] }): Mail {
  const text = noticeText(notice);
  return {
    messageId: to.messageId,
    to: [],
    cc: [],
    bcc: to.recipients.map((address) => ({ address })),
    replyTo: [],
    subject: notice.subject,
    text,
    html: escapeHtml(text.trim()).replaceAll('\n', '<br>\n'),
    attachments: [],
  };
}
