import { LRUCache } from 'lru-cache';
import { NotYet, PermanentJobError } from '../platform/errors.js';
import type { Mail, Mailer } from '../platform/outbound/mail.js';
import { type SenderPolicy, withAllowedSender } from '../platform/outbound/sender-policy.js';
import { QuotaReached } from '../access/quotas/quota.js';
import type { TenantQuotas } from '../access/quotas/tenant-quotas.js';

/** Mail servers of tenants that a process has connections to. */
const MAX_TRANSPORTS = 100;
/** What waits for the next day comes spread over so long. */
const SPREAD_MS = 10 * 60_000;

/** The mail server of a tenant's own. */
export interface OwnMailServer extends SenderPolicy {
  smtpUrl: string;
}

/** What hands a tenant's mails over. */
export interface TenantMailers {
  /**
   * The mailer for one delivery of the tenant's; `note` is told what was changed in a mail.
   * It throws NotYet while the tenant may send no more mails today, PermanentJobError for too many recipients.
   */
  of(tenantId: number, note: (message: string) => void): Mailer;
  close(): Promise<void>;
}

export interface TenantMailersDeps {
  /** Of the server, for tenants without a mail server of their own. */
  shared: Mailer;
  policy: SenderPolicy;
  /** Of one mail; 0 = no limit. */
  maxRecipients: number;
  quotas: Pick<TenantQuotas, 'add' | 'requireMail'>;
  ownServer(tenantId: number): Promise<OwnMailServer | undefined>;
  /** Makes what hands mails to a tenant's own server. */
  open(server: OwnMailServer): Mailer;
}

/** Mails leave by the tenant's own server, else by the shared one, from senders that are allowed there. */
export function createTenantMailers(deps: TenantMailersDeps): TenantMailers {
  const closing = new Set<Promise<void>>();
  const transports = new LRUCache<number, { server: OwnMailServer; mailer: Mailer }>({
    max: MAX_TRANSPORTS,
    dispose({ mailer }) {
      const end = mailer.close().finally(() => closing.delete(end));
      closing.add(end);
    },
  });

  const transportOf = (tenantId: number, server: OwnMailServer): Mailer => {
    const known = transports.get(tenantId);
    if (known !== undefined && known.server === server) return known.mailer;
    const mailer = deps.open(server);
    transports.set(tenantId, { server, mailer });
    return mailer;
  };

  return {
    of(tenantId, note) {
      let sent = 0;
      return {
        async send(mail, signal) {
          const count = recipientsOf(mail);
          requireFew(count, deps.maxRecipients);
          requireQuota(() => deps.quotas.requireMail(tenantId), sent);
          const own = await deps.ownServer(tenantId);
          const { mail: allowed, notes } = withAllowedSender(mail, own ?? deps.policy);
          for (const line of notes) note(line);
          const mailer = own === undefined ? deps.shared : transportOf(tenantId, own);
          const refused = await mailer.send(allowed, signal);
          sent += 1;
          deps.quotas.add(tenantId, { mails: Math.max(0, count - refused.length) });
          return refused;
        },
        // Its transport is others' too.
        close: () => Promise.resolve(),
      };
    },
    async close() {
      transports.clear();
      await Promise.all([deps.shared.close(), ...closing]);
    },
  };
}

function recipientsOf({ to, cc, bcc }: Mail): number {
  return new Set([...to, ...cc, ...bcc].map(({ address }) => address)).size;
}

function requireFew(count: number, most: number): void {
  if (most === 0 || count <= most) return;
  throw new PermanentJobError(`the mail has ${count} recipients; ${most} are the most (MAIL_MAX_RECIPIENTS)`);
}

/**
 * Where mails of the same delivery went out already, waiting would send them again: a person has to say.
 * @throws NotYet, PermanentJobError
 */
function requireQuota(requireMail: () => void, sent: number): void {
  try {
    requireMail();
  } catch (error) {
    if (!(error instanceof QuotaReached)) throw error;
    const { message: cause, usedUp } = error;
    if (sent > 0)
      throw new PermanentJobError(`${cause}; ${sent} mails of the loop were sent`, { cause: error });
    const waitMs = (usedUp.reset?.inMs ?? 0) + Math.random() * SPREAD_MS;
    throw new NotYet(`${cause}; the mail waits until then`, { cause: error, waitMs });
  }
}
