import { createHmac, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { AdminAccount } from './admin-account.js';

/** A session of the board. Times are in milliseconds since the epoch. */
export interface AdminSession {
  id: string;
  startedAt: number;
  seenAt: number;
}

/** A session ends after `IDLE_MS` without a request, and in any case after `LONGEST_MS`. */
export const IDLE_MS = 60 * 60_000;
export const LONGEST_MS = 12 * 60 * 60_000;
/** A younger token is not renewed. */
const RENEW_AFTER_MS = 60_000;
/** Allowed difference between the clocks of two web processes. */
const SKEW_MS = 60_000;
const VERSION = 'v1';
const TOKEN = /^v1\.[A-Za-z0-9_-]{22}\.[0-9a-z]{1,11}\.[0-9a-z]{1,11}\.[A-Za-z0-9_-]{43}$/;

export type AdminSessions = ReturnType<typeof createAdminSessions>;

/**
 * Creates stateless sessions: a signed token has the start and the last use of the session. So the board works while
 * MySQL is unreachable, and every web process accepts every session (decision 0028). The signing key is derived from
 * the account, its password and `ENCRYPTION_KEY`: changing one of them ends all sessions.
 */
export function createAdminSessions(account: AdminAccount, encryptionKey: Buffer | undefined) {
  const salt = createHmac('sha256', 'fabula admin session')
    .update(encryptionKey ?? '')
    .digest();
  let key: Buffer | undefined;
  // A slow hash, so that a stolen token does not help to guess the password. It waits for the first session.
  const keyOf = () => (key ??= scryptSync(`${account.user}\n${account.password}`, salt, 32));
  const sign = (text: string) => createHmac('sha256', keyOf()).update(text).digest('base64url');
  const tokenOf = ({ id, startedAt, seenAt }: AdminSession): string => {
    const text = [VERSION, id, startedAt.toString(36), seenAt.toString(36)].join('.');
    return `${text}.${sign(text)}`;
  };

  return {
    /** Returns the token of a new session. */
    begin(nowMs: number): string {
      return tokenOf({ id: randomBytes(16).toString('base64url'), startedAt: nowMs, seenAt: nowMs });
    },

    /** Returns the session of a token; undefined if the token is forged, damaged or expired. */
    read(token: string, nowMs: number): AdminSession | undefined {
      if (!TOKEN.test(token)) return undefined;
      const end = token.lastIndexOf('.');
      const text = token.slice(0, end);
      if (!timingSafeEqual(Buffer.from(token.slice(end + 1)), Buffer.from(sign(text)))) return undefined;
      const [, id = '', started = '', seen = ''] = text.split('.');
      const session = { id, startedAt: Number.parseInt(started, 36), seenAt: Number.parseInt(seen, 36) };
      return isAlive(session, nowMs) ? session : undefined;
    },

    /** Returns a new token that extends the session; undefined while the current one is younger than a minute. */
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
