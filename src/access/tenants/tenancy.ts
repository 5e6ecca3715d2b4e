import type { Actor, Role } from '../auth/actor.js';

/** A customer of the installation: nothing of one tenant is ever seen by another. */
export interface Tenant {
  id: number;
  name: string;
  /** Has the higher limit of responses waited for at once (spec §2.4). */
  dedicated: boolean;
  createdAt: Date;
}

export interface User {
  id: number;
  tenantId: number;
  email: string;
  firstName: string;
  lastName: string;
  /** Empty for a user without a picture. */
  avatarUrl: string;
  isOwner: boolean;
  isServiceAccount: boolean;
  createdAt: Date;
}

export interface Team {
  id: number;
  tenantId: number;
  name: string;
  createdAt: Date;
}

export interface Membership {
  teamId: number;
  userId: number;
  role: Role;
}

/** An API key as it is stored: without the key itself, which nobody can get back. */
export interface ApiKey {
  id: number;
  kind: Actor['kind'];
  tenantId: number;
  /** The user it acts as; a service account of its own for tenant and team keys. */
  userId: number;
  /** The team of a team key, else null. */
  teamId: number | null;
  name: string;
  /** The visible beginning of the key. */
  prefix: string;
  createdByUserId: number | null;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
}
