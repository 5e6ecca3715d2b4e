import type { Knex } from 'knex';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import type { ApiKey } from '../tenants/tenancy.js';

export interface NewApiKey
  extends Pick<
    ApiKey,
    'kind' | 'tenantId' | 'userId' | 'teamId' | 'name' | 'prefix' | 'createdByUserId' | 'expiresAt'
  > {
  digest: string;
}

/** Filter of a list of keys: the personal keys of `userId`. */
export interface KeyFilter {
  tenantId: number;
  userId: number;
  /** True to include the keys of the tenant and of its teams. */
  shared: boolean;
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

/** Creates the store of API keys for their management. `auth/actor-store` checks the keys of requests. */
export function createApiKeyStore(knex: Knex) {
  return {
    insert: async (key: NewApiKey, trx: Knex = knex): Promise<number> => {
      const [id] = await trx('api_keys').insert(columns(key));
      if (id === undefined) throw new Error('The insert of an API key returned no id');
      return id;
    },

    find: async (tenantId: number, id: number, trx: Knex = knex): Promise<ApiKey | undefined> =>
      trx('api_keys').select<ApiKey[]>(API_KEY).where({ tenant_id: tenantId, id }).first(),

    /**
     * Counts the valid personal keys of this user; without `userId`, the valid keys of the tenant and its teams. Locks
     * the user or tenant until the transaction ends, so that two concurrent creations, on any nodes, count each other's key.
     */
    countWorking: async (
      { tenantId, userId }: { tenantId: number; userId: number | undefined },
      trx: Knex,
    ): Promise<number> => {
      await (userId === undefined
        ? trx('tenants').where({ id: tenantId }).increment('claims')
        : trx('users').where({ id: userId, tenant_id: tenantId }).increment('claims'));
      const [row] = await trx('api_keys')
        .where({ tenant_id: tenantId, ...(userId === undefined ? {} : { user_id: userId }) })
        .whereIn('kind', userId === undefined ? ['tenant', 'team'] : ['personal'])
        .whereNull('revoked_at')
        .where((any) => void any.whereNull('expires_at').orWhere('expires_at', '>', trx.fn.now(3)))
        .count<{ total: number }[]>({ total: '*' });
      return row?.total ?? 0;
    },

    list: async (tenantId: number, trx: Knex = knex): Promise<ApiKey[]> =>
      trx('api_keys').select<ApiKey[]>(API_KEY).where({ tenant_id: tenantId }).orderBy('id'),

    /** Returns a page of the user's keys and, if `shared`, of the keys of the tenant and its teams; by id. */
    page: async (filter: KeyFilter, window: Window, trx: Knex = knex): Promise<Page<ApiKey>> => {
      const matching = () =>
        trx('api_keys')
          .where({ tenant_id: filter.tenantId })
          .where((any) => {
            void any.where({ kind: 'personal', user_id: filter.userId });
            if (filter.shared) void any.orWhereNot({ kind: 'personal' });
          });
      const [count] = await matching().count<{ total: number }[]>({ total: '*' });
      const rows = matching().select<ApiKey[]>(API_KEY).orderBy('id');
      return {
        items: await rows.limit(window.limit).offset(window.offset),
        total: count?.total ?? 0,
      };
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
