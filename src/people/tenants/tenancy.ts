import type { Actor, Role } from '../../api/face.js';

/** A customer of the installation. Tenants never see each other's data. */
export interface Tenant {
  id: number;
  name: string;
  /** True: the tenant has the higher limit of requests that wait for a response at once (spec §2.4). */
  dedicated: boolean;
  /** When it was frozen, to be moved to another installation; null: it is not. */
  frozenAt: Date | null;
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

/** A stored API key, without the key itself, which cannot be recovered. */
export interface ApiKey {
  id: number;
  kind: Actor['kind'];
  tenantId: number;
  /** The user whose permissions it has; for tenant and team keys, a service account of their own. */
  userId: number;
  /** The team of a team key, else null. */
  teamId: number | null;
  name: string;
  /** The visible first characters of the key. */
  prefix: string;
  createdByUserId: number | null;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
}
