import type { Actor } from '../../api/face.js';

/** How a person proved who it is. */
export const SIGN_IN_METHODS = ['password', 'api_key', 'link'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** A person who may begin a session. */
export interface Person {
  tenantId: number;
  userId: number;
  method: SignInMethod;
  /** The key that signed in, with which the session ends; null for another method. */
  apiKeyId: number | null;
}

/** The browser that begins a session. */
export interface SessionPlace {
  ip: string | undefined;
  userAgent: string | undefined;
}

/** A session of a person. */
export interface PersonSession {
  id: number;
  method: SignInMethod;
  ip: string | null;
  userAgent: string | null;
  createdAt: Date;
  /** To the minute. */
  lastSeenAt: Date;
  /** When it ends, unless it is used before that; seven days after its begin at the latest. */
  expiresAt: Date;
}

/** A session, and the user that it acts as. */
export interface FoundSession {
  session: PersonSession;
  actor: Actor;
}
