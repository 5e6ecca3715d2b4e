import { createIdempotencyKeys } from '../../src/engine/state/runs/idempotency-keys.js';
import { createNoticeSender } from '../../src/operate/monitoring/outbox/notice-sender.js';
import { createInstallation } from '../../src/platform/mysql/schema/epoch.js';
import type { HttpClient } from '../../src/platform/outbound/http-exchange.js';
import type { Mail } from '../../src/platform/outbound/mail/mail.js';
import type { TestStores } from './stores.js';

/** The means by which notices are sent: a mailer by tenant, and an HTTP client. */
export interface NoticeWays {
  mail?: (mail: Mail, tenantId: number) => Promise<unknown>;
  http?: Pick<HttpClient, 'request'>;
}

/** The sender of the outbox, on the test's database. Without a way it fails. */
export function noticeSender(stores: Pick<TestStores, 'db' | 'logger'>, { mail, http }: NoticeWays) {
  return createNoticeSender({
    database: stores.db,
    http: http ?? { request: () => Promise.reject(new Error('no HTTP client')) },
    mailers: {
      of: (tenantId) => ({
        async send(sent) {
          if (mail === undefined) throw new Error('no mailer');
          await mail(sent, tenantId);
          return [];
        },
        close: async () => {},
      }),
    },
    idempotencyKeys: createIdempotencyKeys(createInstallation(stores.db)),
    nowMs: () => Promise.resolve(Date.now()),
    logger: stores.logger,
  });
}

/** Makes notices that wait for their next attempt due. */
export const makeNoticesDue = (stores: Pick<TestStores, 'sql'>) =>
  stores.sql("UPDATE notices SET due_at = NOW(3) - INTERVAL 1 SECOND WHERE state = 'due'");
