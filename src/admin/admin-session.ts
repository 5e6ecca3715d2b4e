import { createHmac, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { AdminAccount } from './admin-account.js';

/** Somebody who is signed in at the board. Times are in milliseconds since the epoch. */
export interface AdminSession {
  id: string;
  startedAt: number;
  seenAt: number;
}

/** A session ends when nothing came for so long, and in any case after so long. */
export const IDLE_MS = 60 * 60_000;
export const LONGEST_MS = 12 * 60 * 60_000;
/** A token that is younger is not written anew. */
const RENEW_AFTER_MS = 60_000;
/** Clocks of two web processes may differ by this. */
const SKEW_MS = 60_000;
const VERSION = 'v1';
const TOKEN = /^v1\.[A-Za-z0-9_-]{22}\.[0-9a-z]{1,11}\.[0-9a-z]{1,11}\.[A-Za-z0-9_-]{43}$/;

export type AdminSessions = ReturnType<typeof createAdminSessions>;

/**
 * Sessions that no store keeps: a token says when it began and was last used, and bears a signature. So the board is there
 * while MySQL is away, and every web process knows every session (decision 0028). The key follows from the account, its
 * password and `ENCRYPTION_KEY`: to change one of them ends all sessions.
 */
export function createAdminSessions(account: AdminAccount, encryptionKey: Buffer | undefined) {
  const salt = createHmac('sha256', 'fabula admin session')
    .update(encryptionKey ?? '')
    .digest();
  // Slow to make: a token that is stolen must not be of use for guessing the password.
  const key = scryptSync(`${account.user}\n${account.password}`, salt, 32);
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const tokenOf = ({ id, startedAt, seenAt }: AdminSession): string => {
    const text = [VERSION, id, startedAt.toString(36), seenAt.toString(36)].join('.');
    return `${text}.${sign(text)}`;
  };

  return {
    /** The token of a new session. */
    begin(nowMs: number): string {
      return tokenOf({ id: randomBytes(16).toString('base64url'), startedAt: nowMs, seenAt: nowMs });
    },

    /** The session that a token stands for; undefined for one that is forged, damaged or over. */
    read(token: string, nowMs: number): AdminSession | undefined {
      if (!TOKEN.test(token)) return undefined;
      const end = token.lastIndexOf('.');
      const text = token.slice(0, end);
      if (!timingSafeEqual(Buffer.from(token.slice(end + 1)), Buffer.from(sign(text)))) return undefined;
      const [, id = '', started = '', seen = ''] = text.split('.');
      const session = { id, startedAt: Number.parseInt(started, 36), seenAt: Number.parseInt(seen, 36) };
      return isAlive(session, nowMs) ? session : undefined;
    },

    /** The token that takes the place of an older one, for the session to go on; undefined while that is young. */
    renew(session: AdminSession, nowMs: number): string | undefined {
      return nowMs - session.seenAt < RENEW_AFTER_MS ? undefined : tokenOf({ ...session, seenAt: nowMs });
    },
  };
}

function isAlive({ startedAt, seenAt }: AdminSession, nowMs: number): boolean {
  const idle = nowMs - seenAt;
  const age = nowMs - startedAt;
  return idle >= -SKEW_MS && age >= -SKEW_MS && idle < IDLE_MS && age < LONGEST_MS;
}
