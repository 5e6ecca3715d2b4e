import { AppError, Conflict, NotFound, Unavailable } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import { type Actor, requireOwner } from '../../api/face.js';
import { type LinkService, resetAddress } from '../sign-in/link-service.js';
import { MAX_LINK_MAILS_AN_HOUR, linkMail, type PeopleMailer } from './people-mail.js';
import { findActivePerson } from './person-store.js';

/** Days for which the link of an invitation works. */
const LINK_DAYS = 3;

export interface InvitationDeps {
  database: Pick<Database, 'read'>;
  links: Pick<LinkService, 'makeForMail'>;
  mailer: PeopleMailer;
}

export type Invitations = ReturnType<typeof createInvitations>;

/** Creates the service that gives people their first link, by which they set a password. */
export function createInvitations({ database, links, mailer }: InvitationDeps) {
  return {
    /**
     * Mails a user of an Owner's tenant a link. `home` is the address of the console; undefined if links in mails cannot
     * name it. Returns the token of the link for the Owner to pass on if no such mail can leave, else undefined.
     * @throws Forbidden, NotFound, Conflict, AppError 429; Unavailable if the mail could not be sent.
     */
    async send(actor: Actor, userId: number, home: string | undefined): Promise<string | undefined> {
      requireOwner(actor);
      const person = await database.read((session) => findActivePerson(userId, session));
      if (person?.tenantId !== actor.tenantId) throw new NotFound('User');
      if (person.hash !== undefined) throw new Conflict('The user already has a password');
      const token = await links.makeForMail(userId, LINK_DAYS * 24 * 60);
      if (token === undefined) throw new AppError(429, TOO_MANY);
      if (home === undefined || !(await mailer.mayMail(actor.tenantId))) return token;
      const mail = invitationMail(person.email, resetAddress(home, token));
      await mailer.send(actor.tenantId, mail).catch((cause: unknown) => {
        throw new Unavailable('The mail server did not accept the invitation', { cause });
      });
      return undefined;
    },
  };
}

const TOO_MANY = `${MAX_LINK_MAILS_AN_HOUR} links were created for the user within the last hour; try again later`;

function invitationMail(address: string, link: string) {
  return linkMail(
    address,
    'Your invitation to Fabula',
    `An account was created for ${address} at Fabula.

Set a password within ${LINK_DAYS} days, then sign in with it:
${link}
`,
  );
}
