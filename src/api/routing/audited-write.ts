import type { Actor } from '../auth/actor.js';

/** The actor recorded for a write. */
export interface AuditedActor extends Pick<Actor, 'tenantId'> {
  /** Null for a command without a user. */
  userId: number | null;
  userEmail: string | null;
  keyId: number | null;
  /** The session of a person who signed in to the console. */
  sessionId?: number | undefined;
  keyTeamId?: number | undefined;
}

/** Facts about a write, from its request or command and its response. */
export interface AuditedWrite {
  action: string;
  actor: AuditedActor;
  params: unknown;
  body: unknown;
  /** The id of what the write changes, where the path names another: the copy of an action in a draft. */
  targetId?: number | undefined;
  response: unknown;
  /** Status of the response; absent where only successful writes are recorded. */
  status?: number;
  request: AuditedRequest;
  /** What `AuditLog.look` returned before the write. */
  before?: unknown;
}

/** Records writes. */
export interface AuditLog {
  record(write: AuditedWrite): Promise<void>;
  /** Returns the state of what a write is about to change, for `AuditedWrite.before`. Never rejects. */
  look?(write: Pick<AuditedWrite, 'action' | 'actor' | 'params' | 'body' | 'targetId'>): Promise<unknown>;
}

export interface AuditedRequest {
  id: string;
  method: string;
  path: string;
  ip: string | undefined;
  userAgent: string | undefined;
}
