import { LRUCache } from 'lru-cache';
import { NotYet, PermanentJobError } from '../../platform/errors.js';
import type { Mail, Mailer } from '../../platform/outbound/mail/mail.js';
import { type SenderPolicy, withAllowedSender } from '../../platform/outbound/mail/sender-policy.js';
import { QuotaReached, type TenantQuotas } from '../../people/face.js';
import type { MailServer } from './mail-server.js';

/** Maximum number of tenants' mail servers to which a process keeps connections. */
const MAX_TRANSPORTS = 100;
/** Period over which mails that wait for the next day are spread. */
const SPREAD_MS = 10 * 60_000;

/** A tenant's own mail server. */
export interface OwnMailServer extends SenderPolicy, MailServer {}

/** The mailers of the tenants. */
export interface TenantMailers {
  /**
   * Returns the mailer for one delivery of the tenant; `note` gets a message for each change of a mail.
   * The mailer throws NotYet while the tenant's mails of today are used up, PermanentJobError for too many recipients.
   */
  of(tenantId: number, note: (message: string) => void): Mailer;
  close(): Promise<void>;
}

export interface TenantMailersDeps {
  /** The server's own mailer, for tenants without a mail server. */
  shared: Mailer;
  policy: SenderPolicy;
  /** Per mail; 0 = no limit. */
  maxRecipients: number;
  quotas: Pick<TenantQuotas, 'add' | 'requireMail'>;
  ownServer(tenantId: number): Promise<OwnMailServer | undefined>;
  /** Creates the mailer for a tenant's own server. */
  open(server: OwnMailServer, tenantId: number): Mailer;
}

/** Sends through the tenant's own mail server, else through the shared one, from the senders that are allowed there. */
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
    const mailer = deps.open(server, tenantId);
    transports.set(tenantId, { server, mailer });
    return mailer;
  };

  return {
    of(tenantId, note) {
      let sent = 0;
      return {
        async send(mail, signal) {
          requireFew(recipientsOf(mail), deps.maxRecipients);
          const count = mail.left?.length ?? recipientsOf(mail);
          if (count === 0) return [];
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
        // Other deliveries use the same transport.
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
  throw new PermanentJobError(
    `the mail has ${count} recipients; the maximum is ${most} (MAIL_MAX_RECIPIENTS)`,
  );
}

/**
 * If mails of the same delivery were already sent, waiting would send them again: it becomes a dead letter instead.
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
