import type { Database } from '../../platform/mysql/database.js';
import type { Logger } from '../../platform/logger.js';
import type { Actor, Authenticator } from '../../api/face.js';
import { createKnownDevices } from '../sign-in/known-devices.js';
import { createLinkService } from '../sign-in/link-service.js';
import { createPasswordHasher } from '../passwords/password-hasher.js';
import { createPasswordService } from '../passwords/password-service.js';
import { createOperatorCheck } from './operator-check.js';
import { findActivePerson } from './person-store.js';
import { findProfile } from './profile-store.js';
import { createSessionService } from '../sign-in/session-service.js';
import { createSignIn } from '../sign-in/sign-in.js';
import { createSignInQueue } from '../sign-in/sign-in-queue.js';

export interface PeopleDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  authenticator: Pick<Authenticator, 'authenticate'>;
  logger: Logger;
  /** From it comes the key of cookies by which browsers are known; without it, each process knows its own alone. */
  encryptionKey?: Buffer | undefined;
}

export type PeopleServices = ReturnType<typeof createPeopleServices>;

/** Creates the services by which people sign in. */
export function createPeopleServices({ database, authenticator, logger, encryptionKey }: PeopleDeps) {
  const hasher = createPasswordHasher();
  const links = createLinkService({ database });
  const queue = createSignInQueue();
  const devices = createKnownDevices(encryptionKey);
  const signIn = createSignIn({ database, authenticator, hasher, links, queue, devices });
  return {
    devices,
    links,
    signIn,
    sessions: createSessionService({ database, logger }),
    passwords: createPasswordService({ database, hasher, links, signIn, queue }),
    find: (userId: number) => database.read((session) => findActivePerson(userId, session)),
    profile: (actor: Actor) => database.read((session) => findProfile(actor, session)),
    isOperator: createOperatorCheck(database).isOperator,
  };
}
