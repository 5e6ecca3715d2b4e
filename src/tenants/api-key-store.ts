import type { Knex } from 'knex';
import type { ApiKey } from './tenancy.js';

export interface NewApiKey
  extends Pick<
    ApiKey,
    'kind' | 'tenantId' | 'userId' | 'teamId' | 'name' | 'prefix' | 'createdByUserId' | 'expiresAt'
  > {
  digest: string;
}

const API_KEY = {
  id: 'id',
  kind: 'kind',
  tenantId: 'tenant_id',
  userId: 'user_id',
  teamId: 'team_id',
  name: 'name',
  prefix: 'prefix',
  createdByUserId: 'created_by_user_id',
  expiresAt: 'expires_at',
  lastUsedAt: 'last_used_at',
  revokedAt: 'revoked_at',
  createdAt: 'created_at',
};

/** API keys in MySQL, for those who manage them. `auth/actor-store` is who checks them. */
export function createApiKeyStore(knex: Knex) {
  return {
    insert: async (key: NewApiKey, trx: Knex = knex): Promise<number> => {
      const [id] = await trx('api_keys').insert(columns(key));
      if (id === undefined) throw new Error('The insert of an API key gave no id');
      return id;
    },

    find: async (tenantId: number, id: number, trx: Knex = knex): Promise<ApiKey | undefined> =>
      trx('api_keys').select<ApiKey[]>(API_KEY).where({ tenant_id: tenantId, id }).first(),

    list: async (tenantId: number, trx: Knex = knex): Promise<ApiKey[]> =>
      trx('api_keys').select<ApiKey[]>(API_KEY).where({ tenant_id: tenantId }).orderBy('id'),

    /** Sets the time of revocation, once. */
    revoke: async (tenantId: number, id: number, trx: Knex = knex): Promise<void> => {
      await trx('api_keys')
        .where({ tenant_id: tenantId, id })
        .whereNull('revoked_at')
        .update({ revoked_at: trx.fn.now(3) });
    },
  };
}

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;

function columns(key: NewApiKey): Record<string, unknown> {
  return {
    kind: key.kind,
    tenant_id: key.tenantId,
    user_id: key.userId,
    team_id: key.teamId,
    name: key.name,
    digest: key.digest,
    prefix: key.prefix,
    created_by_user_id: key.createdByUserId,
    expires_at: key.expiresAt,
  };
}
