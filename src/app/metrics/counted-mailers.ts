import type { TenantMailers } from '../../data/face.js';
import { MailRefused, MailRefusedForGood, NotYet } from '../../platform/errors.js';
import type { Instruments } from '../../platform/metrics/metric-registry.js';
import type { Mailer } from '../../platform/outbound/mail/mail.js';
import type { MetricList } from './metric-list.js';

type Mails = Instruments<MetricList>['mails'];

/** Returns the mailers with their mails counted by what came of them. */
export function countedMailers(mailers: TenantMailers, mails: Mails): TenantMailers {
  return {
    of: (tenantId, note) => countedMailer(mailers.of(tenantId, note), mails),
    close: () => mailers.close(),
  };
}

function countedMailer(mailer: Mailer, mails: Mails): Mailer {
  return {
    async send(mail, signal) {
      try {
        const refused = await mailer.send(mail, signal);
        mails.inc({ class: refused.length === 0 ? 'sent' : 'partly_refused' });
        return refused;
      } catch (error) {
        mails.inc({ class: classOf(error) });
        throw error;
      }
    },
    close: () => mailer.close(),
  };
}

function classOf(error: unknown): string {
  if (error instanceof NotYet) return 'waiting';
  return error instanceof MailRefused || error instanceof MailRefusedForGood ? 'refused' : 'failed';
}
