import { LRUCache } from 'lru-cache';
import { messageOf, NotFound } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import { createBatchLoader } from '../../platform/mysql/statements/batch-loader.js';
import type { Database } from '../../platform/mysql/database.js';
import { claimRow } from '../../platform/mysql/lease/claim-rows.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { type Actor, requireOwner } from '../../api/face.js';
import { newToken, tokenDigest } from '../passwords/secret-token.js';
import type { FoundSession, Person, PersonSession, SessionPlace } from './person-session.js';
import {
  deleteOldestSessions,
  deleteSessions,
  findSessions,
  findSessionUser,
  insertSession,
  listSessions,
  touchSession,
} from './session-store.js';

/** Most sessions of one user; a further one ends the oldest. */
const MAX_SESSIONS = 50;
const TOUCH_EVERY_MS = 60_000;
const REMEMBERED = 10_000;
/** An Owner's session loads all teams of its tenant, like an Owner's key: one connection that hangs must not block all. */
const TOGETHER = { maxRound: 50, roundsAtOnce: 2 };

export type SessionService = ReturnType<typeof createSessionService>;

/**
 * Creates the service of people's sessions. Like keys, each request reads its session again, so that an end takes effect
 * at once in all processes (spec §2.10).
 */
export function createSessionService({
  database,
  logger,
}: {
  database: Pick<Database, 'read' | 'transaction'>;
  logger: Logger;
}) {
  const load = createBatchLoader(
    (digests: string[]) => database.read((session) => findSessions(digests, session)),
    TOGETHER,
  );
  const touched = new LRUCache<number, true>({ max: REMEMBERED, ttl: TOUCH_EVERY_MS });

  const noteUse = ({ id }: PersonSession): void => {
    if (touched.has(id)) return;
    touched.set(id, true);
    database
      .read((session) => touchSession(id, session))
      .catch((error: unknown) => {
        touched.delete(id);
        logger.warn('could not record the use of a session', {
          session_id: id,
          error: messageOf(error),
        });
      });
  };

  const list = (actor: Actor, userId?: number): Promise<PersonSession[]> => {
    const of = { tenantId: actor.tenantId, userId: userFor(actor, userId) };
    return database.read((session) => listSessions(of, MAX_SESSIONS, session));
  };

  return {
    /** Returns the session of a token; undefined if it ended, or its user may not sign in any more. */
    async find(token: string): Promise<FoundSession | undefined> {
      const digest = tokenDigest(token);
      const found = digest === undefined ? undefined : await load(digest);
      if (found !== undefined) noteUse(found.session);
      return found;
    },

    /** Begins a session. Returns the token, which is not stored, and the session's id. */
    async begin(person: Person, place: SessionPlace): Promise<{ token: string; id: number }> {
      const token = newToken();
      const digest = tokenDigest(token) as string;
      const begun = async (session: Session) => {
        // Sign-ins at the same time count each other's session.
        await claimRow(session, 'users', person.userId);
        const made = await insertSession({ digest, person, place }, session);
        await deleteOldestSessions(person.userId, MAX_SESSIONS, session);
        return made;
      };
      const id = await retryLockConflicts(() => database.transaction(begun));
      return { token, id };
    },

    /** Returns the sessions of the actor, or of a user of an Owner's tenant; the newest first. @throws Forbidden. */
    list,

    /** Ends a session. Does nothing if it ended before. */
    async end(id: number): Promise<void> {
      await database.read((session) => deleteSessions([id], session));
    },

    /** Ends a session of the actor, or of a user of an Owner's tenant. @throws NotFound for any other. */
    async revoke(actor: Actor, id: number): Promise<void> {
      await database.transaction(async (session) => {
        const userId = await findSessionUser(actor.tenantId, id, session);
        const mayEnd = userId === actor.userId || actor.isOwner;
        if (userId === undefined || !mayEnd) throw new NotFound('Session');
        await deleteSessions([id], session);
      });
    },

    /** Ends the other sessions of the actor, or all of a user of an Owner's tenant. Returns their number. @throws Forbidden. */
    async revokeAll(actor: Actor, userId?: number): Promise<number> {
      const sessions = await list(actor, userId);
      const others = sessions.map(({ id }) => id).filter((id) => id !== actor.sessionId);
      return database.read((session) => deleteSessions(others, session));
    },
  };
}

/** Returns the user whose sessions the actor asks for: itself, or one of an Owner's tenant. @throws Forbidden. */
function userFor(actor: Actor, userId: number | undefined): number {
  if (userId === undefined || userId === actor.userId) return actor.userId;
  requireOwner(actor);
  return userId;
}
