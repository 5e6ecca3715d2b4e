import { messageOf } from '../../platform/errors.js';
import { createGuessLimits } from '../../platform/http/limits/guess-limits.js';
import type { Logger } from '../../platform/logger.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Mail } from '../../platform/outbound/mail/mail.js';
import { LINK_MINUTES, type LinkService, resetAddress } from '../sign-in/link-service.js';
import { linkMail, type PeopleMailer } from '../users/people-mail.js';
import { type SignInCandidate, findByAddress } from '../users/person-store.js';

/** Most accounts of one address that get a mail, one for each tenant. */
const MAX_TENANTS = 5;
/** Most requests that are worked on; further ones are dropped and logged. */
const MAX_PENDING = 50;
/** Requests of one address within a minute; further ones are refused. */
const REQUESTS = { free: 10, windowMs: 60_000 };

export interface PasswordResetDeps {
  database: Pick<Database, 'read'>;
  links: Pick<LinkService, 'makeForMail'>;
  mailer: PeopleMailer;
  logger: Logger;
}

/** A request for a mail. */
export interface ResetPlace {
  address: string | undefined;
  /** The address of the console, for the link; undefined: it is not known, and no mail leaves. */
  home: string | undefined;
  /** Called for each person for whom a link was made. */
  onLink: (person: SignInCandidate) => void;
}

/** The outcome of an attempt to mail a link. */
export type LinkOutcome = 'sent' | 'no mail server' | 'no address' | 'too many';

export type PasswordResets = ReturnType<typeof createPasswordResets>;

/** Creates the service of mails about passwords: links by which people set one, and notices that one was set. */
export function createPasswordResets({ database, links, mailer, logger }: PasswordResetDeps) {
  const limits = createGuessLimits(REQUESTS);
  const pending = new Set<Promise<void>>();

  const mailLink = async (
    { tenantId, userId, email }: SignInCandidate,
    { home, onMade }: { home: string | undefined; onMade: () => void },
  ): Promise<LinkOutcome> => {
    if (home === undefined) return 'no address';
    if (!(await mailer.mayMail(tenantId))) return 'no mail server';
    const token = await links.makeForMail(userId);
    if (token === undefined) return 'too many';
    onMade();
    await mailer.send(tenantId, resetMail(email, resetAddress(home, token)));
    return 'sent';
  };

  const mailAll = async (email: string, { home, onLink }: ResetPlace): Promise<void> => {
    const people = await database.read((session) => findByAddress(email, MAX_TENANTS, session));
    for (const person of people) await mailLink(person, { home, onMade: () => onLink(person) });
  };

  const notice = async ({ tenantId, email }: SignInCandidate): Promise<void> => {
    if (await mailer.mayMail(tenantId)) await mailer.send(tenantId, changedMail(email));
  };

  /** Begins work whose time and end nobody waits for. */
  const begin = (what: string, work: () => Promise<void>): void => {
    if (pending.size >= MAX_PENDING) {
      logger.warn(`${what} was dropped: too many are waiting`, {});
      return;
    }
    const working = work()
      .catch((error: unknown) => void logger.warn(`${what} could not be sent`, { error: messageOf(error) }))
      .finally(() => pending.delete(working));
    pending.add(working);
  };

  return {
    /** Begins to send the mail, if there is such an account. Its time tells nothing. @throws AppError 429. */
    request(email: string, place: ResetPlace): void {
      // The number of mails is limited.
      limits.count(place.address);
      if (place.home === undefined) {
        logger.warn('password link not sent: TRUSTED_PROXIES is set, but ADMIN_ORIGIN is not', {});
      } else begin('the mail for a new password', () => mailAll(email, place));
    },

    /** Mails a person a link to set a password, unless they were sent three within the hour. */
    mailLink,

    /** Begins to tell a person that their password was changed, if mails of the tenant leave. */
    tellChanged: (person: SignInCandidate): void =>
      begin('the mail about a changed password', () => notice(person)),

    /** Resolves when all mails were sent or given up. */
    async close(): Promise<void> {
      await Promise.all(pending);
    },
  };
}

function resetMail(address: string, link: string): Mail {
  return linkMail(
    address,
    'Set a new password',
    `Someone requested a new password for ${address} at Fabula.

Set it here within ${LINK_MINUTES.password} minutes:
${link}

If this was not you, ignore this mail. Nothing has changed.
`,
  );
}

function changedMail(address: string): Mail {
  return linkMail(
    address,
    'Your password was changed',
    `The password of ${address} at Fabula was changed. All other sessions have ended.

If this was not you, contact an Owner of your tenant and set a new password with "Forgot password?".
`,
  );
}
