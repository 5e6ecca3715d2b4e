import { messageOf } from '../../platform/errors.js';
import { createGuessLimits } from '../../platform/http/guess-limits.js';
import type { Logger } from '../../platform/logger.js';
import type { Database } from '../../platform/mysql/database.js';
import { LINK_MINUTES, type LinkService, resetAddress } from './link-service.js';
import { countLinks } from './login-link-store.js';
import { linkMail, MAX_LINK_MAILS_AN_HOUR, type PeopleMailer } from './people-mail.js';
import { type Candidate, findByAddress } from './person-store.js';

/** Most accounts of one address that get a mail, one for each tenant. */
const MAX_TENANTS = 5;
/** Most requests that are worked on; further ones are dropped and logged. */
const MAX_PENDING = 50;

export interface PasswordResetDeps {
  database: Pick<Database, 'read'>;
  links: Pick<LinkService, 'make'>;
  mailer: PeopleMailer;
  logger: Logger;
}

/** A request for a mail. */
export interface ResetPlace {
  address: string | undefined;
  /** The address of the console, for the link; undefined: it is not known, and no mail leaves. */
  home: string | undefined;
}

export type PasswordResets = ReturnType<typeof createPasswordResets>;

/** Creates the service that mails links by which people set a password. */
export function createPasswordResets({ database, links, mailer, logger }: PasswordResetDeps) {
  const limits = createGuessLimits();
  const pending = new Set<Promise<void>>();

  const mailTo = async ({ tenantId, userId, email }: Candidate, home: string): Promise<void> => {
    if (!(await mailer.mayMail(tenantId))) return;
    const recent = { userId, purpose: 'password', minutes: 60 } as const;
    if ((await database.read((session) => countLinks(recent, session))) >= MAX_LINK_MAILS_AN_HOUR) return;
    const token = await links.make(userId, 'password');
    await mailer.send(tenantId, resetMail(email, resetAddress(home, token)));
  };

  const work = async (email: string, home: string): Promise<void> => {
    try {
      const people = await database.read((session) => findByAddress(email, MAX_TENANTS, session));
      for (const person of people) await mailTo(person, home);
    } catch (error) {
      logger.warn('the mail for a new password could not be sent', { error: messageOf(error) });
    }
  };

  return {
    /** Begins to send the mail, if there is such an account. Its time tells nothing. @throws AppError 429. */
    async request(email: string, { address, home }: ResetPlace): Promise<void> {
      // Every request counts like a wrong password: nobody may have mails sent without end.
      await limits.check(address, () => false);
      if (home === undefined) {
        logger.warn(
          'no link for a new password was mailed: ADMIN_ORIGIN is not set, and TRUSTED_PROXIES is',
          {},
        );
        return;
      }
      if (pending.size >= MAX_PENDING) {
        logger.warn('a request for a new password was dropped: too many are waiting', {});
        return;
      }
      const working = work(email, home).finally(() => pending.delete(working));
      pending.add(working);
    },

    /** Resolves when all mails were sent or given up. */
    async close(): Promise<void> {
      await Promise.all(pending);
    },
  };
}

function resetMail(address: string, link: string) {
  return linkMail(
    address,
    'Set a new password',
    `Somebody asked for a new password for ${address} at Fabula.

Set it here within ${LINK_MINUTES.password} minutes:
${link}

If it was not you, ignore this mail: nothing was changed.
`,
  );
}
