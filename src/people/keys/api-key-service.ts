import { randomBytes } from 'node:crypto';
import Joi from 'joi';
import type { Knex } from 'knex';
import { type Actor, apiKeyDigest, newApiKey, type Role, ROLES, visiblePrefix } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import { Conflict, NotFound } from '../../platform/errors.js';
import { valid } from '../../platform/validation/validate.js';
import type { Config } from '../../config/face.js';
import type { ApiKeyStore, KeyFilter } from './api-key-store.js';
import { revokeKeys } from './key-revocation-store.js';
import { nameField } from '../users/name-field.js';
import type { ApiKey } from '../tenants/tenancy.js';
import type { TenantStore } from '../tenants/tenant-store.js';

/** Maximum number of valid keys; 0 = no limit. */
type KeyLimits = Pick<Config, 'apiKeysPerUser' | 'apiKeysPerTenant'>;

/** Input for a new key. `userId` is only for personal keys, `teamId` and `role` only for team keys. */
export interface CreateKey {
  kind: Actor['kind'];
  tenantId: number;
  userId?: number;
  teamId?: number;
  role?: Role;
  name: string;
  expiresAt?: Date;
  createdByUserId?: number;
  /** Ignores the limit of keys: for the first key of an installation. */
  isFirst?: true;
}

/** A key that is being created. */
export interface MadeKey {
  id: number;
  /** The key in plain text. */
  key: string;
}

type KeyInput = Omit<CreateKey, 'tenantId' | 'createdByUserId' | 'isFirst'>;

const id = Joi.number().integer().min(1);
const anyKey = Joi.object<KeyInput>({
  kind: Joi.string().valid('personal', 'tenant', 'team').required(),
  name: nameField.required(),
  expiresAt: Joi.date().greater('now'),
});
const keyInputs: Record<Actor['kind'], Joi.ObjectSchema<KeyInput>> = {
  personal: anyKey.keys({ userId: id.required() }),
  tenant: anyKey,
  team: anyKey.keys({
    teamId: id.required(),
    role: Joi.string()
      .valid(...ROLES)
      .required(),
  }),
};

export interface ApiKeyServiceDeps {
  db: Pick<Database, 'knex' | 'transaction'>;
  keys: ApiKeyStore;
  tenants: Pick<TenantStore, 'findTenant' | 'findUser' | 'holdTeam' | 'insertUser' | 'saveMembership'>;
  limits: KeyLimits;
}

/** Creates the service of API keys (spec §2.3). Like the tenant service, it does not check rights. */
export function createApiKeyService({ db, keys, tenants, limits }: ApiKeyServiceDeps) {
  const getKey = async (tenantId: number, keyId: number): Promise<ApiKey> => {
    const key = await keys.find(tenantId, keyId);
    if (key === undefined) throw new NotFound('API key');
    return key;
  };

  /** Returns the user of the key; for tenant and team keys, creates a service account. */
  const holderOf = async (tenantId: number, input: KeyInput, trx: Knex): Promise<number> => {
    if (input.userId !== undefined) {
      const user = await tenants.findUser(tenantId, input.userId, trx);
      if (user === undefined || user.isServiceAccount) throw new NotFound('User');
      return user.id;
    }
    const userId = await tenants.insertUser(serviceAccount(tenantId, input), trx);
    if (input.teamId !== undefined && input.role !== undefined) {
      const team = await tenants.holdTeam(input.teamId, trx);
      if (team?.tenantId !== tenantId) throw new NotFound('Team');
      await tenants.saveMembership({ teamId: team.id, userId, role: input.role }, trx);
    }
    return userId;
  };

  return {
    /** Returns the keys of the tenant, including revoked and expired ones, oldest first. */
    listKeys: (tenantId: number): Promise<ApiKey[]> => keys.list(tenantId),

    /** Returns a page of the keys that match the filter, including revoked and expired ones. */
    pageOfKeys: (filter: KeyFilter, window: Window): Promise<Page<ApiKey>> => keys.page(filter, window),

    getKey,

    /**
     * Creates a key. This is the only time that `key` is shown: the database stores its digest. `together` runs in the
     * same transaction. @throws Conflict if its user, or its tenant, has the maximum number of valid keys.
     */
    async createKey(
      { tenantId, createdByUserId, isFirst, ...rest }: CreateKey,
      together: (made: MadeKey, trx: Knex) => Promise<void> = () => Promise.resolve(),
    ): Promise<{ key: string; record: ApiKey }> {
      const input = valid(keyInputs[rest.kind] ?? anyKey, rest);
      if ((await tenants.findTenant(tenantId)) === undefined) throw new NotFound('Tenant');
      const key = newApiKey();
      const insert = async (trx: Knex) => {
        if (isFirst !== true) await requireKeyCapacity({ ...input, tenantId }, { keys, limits, trx });
        const userId = await holderOf(tenantId, input, trx);
        const row = { ...stored(key, input), tenantId, userId, createdByUserId: createdByUserId ?? null };
        const id = await keys.insert(row, trx);
        await together({ id, key }, trx);
        return id;
      };
      // An import may keep the team locked for a while.
      const keyId = await retryLockConflicts(() => db.knex.transaction(insert));
      return { key, record: await getKey(tenantId, keyId) };
    },

    /** Revokes a key for good, for every process at once. Revoking it again changes nothing. */
    async revokeKey({ tenantId, keyId }: { tenantId: number; keyId: number }): Promise<ApiKey> {
      await getKey(tenantId, keyId);
      await retryLockConflicts(() => db.transaction((session) => revokeKeys([keyId], session)));
      return getKey(tenantId, keyId);
    },
  };
}

export type ApiKeyService = ReturnType<typeof createApiKeyService>;

function stored(key: string, input: KeyInput) {
  return {
    kind: input.kind,
    teamId: input.teamId ?? null,
    name: input.name,
    digest: apiKeyDigest(key),
    prefix: visiblePrefix(key),
    expiresAt: input.expiresAt ?? null,
  };
}

function serviceAccount(tenantId: number, input: KeyInput) {
  return {
    tenantId,
    email: `service+${randomBytes(8).toString('hex')}@fabula.local`,
    firstName: input.name,
    lastName: '',
    isOwner: input.kind === 'tenant',
    isServiceAccount: true,
  };
}

interface KeyLimitDeps {
  keys: Pick<ApiKeyStore, 'countWorking'>;
  limits: KeyLimits;
  trx: Knex;
}

/**
 * Checks the limit of keys: personal keys count for their user, others for the tenant (decision 0032).
 * @throws Conflict if the maximum of valid keys is reached; revoked and expired keys do not count.
 */
async function requireKeyCapacity(
  key: { kind: string; tenantId: number; userId?: number },
  { keys, limits, trx }: KeyLimitDeps,
): Promise<void> {
  const isPersonal = key.kind === 'personal';
  const limit = isPersonal ? limits.apiKeysPerUser : limits.apiKeysPerTenant;
  if (limit === 0) return;
  const userId = isPersonal ? key.userId : undefined;
  if ((await keys.countWorking({ tenantId: key.tenantId, userId }, trx)) < limit) return;
  const whose = isPersonal ? 'The user has' : 'The tenant and its teams have';
  throw new Conflict(`${whose} the maximum of ${limit} valid API keys: revoke one first`);
}
