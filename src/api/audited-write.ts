import type { Actor } from '../access/auth/actor.js';

/** Whom a write is recorded as. */
export interface AuditedActor extends Pick<Actor, 'tenantId'> {
  /** Null: a command that acts as nobody. */
  userId: number | null;
  userEmail: string | null;
  keyId: number | null;
  keyTeamId?: number | undefined;
}

/** What a request, or a command, and its answer say of a write. */
export interface AuditedWrite {
  action: string;
  actor: AuditedActor;
  params: unknown;
  body: unknown;
  answer: unknown;
  /** Absent: only what succeeds is recorded. */
  status?: number;
  request: AuditedRequest;
}

export interface AuditedRequest {
  id: string;
  method: string;
  path: string;
  ip: string | undefined;
  userAgent: string | undefined;
}
