import type { Database } from '../../platform/mysql/database.js';
import type { Logger } from '../../platform/logger.js';
import type { Actor } from '../auth/actor.js';
import type { Authenticator } from '../auth/authenticator.js';
import { createLinkService } from './link-service.js';
import { createPasswordHasher } from './password-hash.js';
import { createPasswordService } from './password-service.js';
import { findProfile, hasOneTenant } from './profile-store.js';
import { createSessionService } from './session-service.js';
import { createSignIn } from './sign-in.js';

export interface PeopleDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  authenticator: Pick<Authenticator, 'authenticate'>;
  logger: Logger;
}

export type PeopleServices = ReturnType<typeof createPeopleServices>;

/** Creates the services by which people sign in. */
export function createPeopleServices({ database, authenticator, logger }: PeopleDeps) {
  const hasher = createPasswordHasher();
  const links = createLinkService({ database });
  const signIn = createSignIn({ database, authenticator, hasher, links });
  return {
    links,
    signIn,
    sessions: createSessionService({ database, logger }),
    passwords: createPasswordService({ database, hasher, links, signIn }),
    profile: (actor: Actor) => database.read((session) => findProfile(actor, session)),
    /**
     * Returns true for an Owner where there is one tenant: the queues show work of all tenants, so with several of them
     * no Owner may see them (decision 0084).
     */
    isOperator: async (actor: Actor): Promise<boolean> =>
      actor.isOwner && (await database.read(hasOneTenant)),
  };
}
