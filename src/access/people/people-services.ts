import type { Database } from '../../platform/mysql/database.js';
import { memoizeFor } from '../../platform/runtime/memoize.js';
import type { Logger } from '../../platform/logger.js';
import type { Actor } from '../auth/actor.js';
import type { Authenticator } from '../auth/authenticator.js';
import { createLinkService } from './link-service.js';
import { createPasswordHasher } from './password-hash.js';
import { createPasswordService } from './password-service.js';
import { findProfile, hasOneTenant } from './profile-store.js';
import { createSessionService } from './session-service.js';
import { createSignIn } from './sign-in.js';

const FRESH_MS = 1_000;

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
  const isAlone = memoizeFor(FRESH_MS, () => database.read(hasOneTenant));
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
    isOperator: async (actor: Actor): Promise<boolean> => actor.isOwner && (await isAlone()),
  };
}
