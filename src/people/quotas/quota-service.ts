import type { Actor } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';
import { NotFound } from '../../platform/errors.js';
import { DAILY_QUOTAS, type QuotaLimits, type QuotaName, STOCK_QUOTAS, usedOf } from './quota.js';
import { countObjects, countTenantRecords, findQuotaStates, saveQuotas } from './quota-store.js';
import { limitsOf } from './quota-state.js';

/** Current state of one quota of a tenant. */
export interface QuotaUse {
  name: QuotaName;
  used: number;
  /** Null: no limit. */
  limit: number | null;
  /** Time when a daily quota resets: `YYYY-MM-DDTHH:MM:SSZ`; null for other quotas. */
  resetsAt: string | null;
}

export type QuotaService = ReturnType<typeof createQuotaService>;

export interface QuotaServiceDeps {
  database: Pick<Database, 'read'>;
  defaults: QuotaLimits;
}

/** Creates the service of quotas: all users of a tenant can read them, the operator of the server sets them. */
export function createQuotaService({ database, defaults }: QuotaServiceDeps) {
  const usageOf = (tenantId: number): Promise<QuotaUse[]> =>
    database.read((session) => readUses(tenantId, defaults, session));

  return {
    /** Returns all quotas of the actor's tenant; the use is some seconds behind. */
    usage: (actor: Pick<Actor, 'tenantId'>): Promise<QuotaUse[]> => usageOf(actor.tenantId),

    usageOf,

    /** Sets the given quotas: null for the default, 0 for no limit. Takes effect within seconds. */
    async set(tenantId: number, limits: Partial<Record<QuotaName, number | null>>): Promise<QuotaUse[]> {
      await database.read((session) => saveQuotas(tenantId, limits, session));
      return usageOf(tenantId);
    },
  };
}

async function readUses(tenantId: number, defaults: QuotaLimits, session: Session): Promise<QuotaUse[]> {
  const [state] = await findQuotaStates([tenantId], session);
  if (state === undefined) throw new NotFound('Tenant');
  const limits = limitsOf(state.limits, defaults);
  const limitOf = (name: QuotaName) => (limits[name] === 0 ? null : limits[name]);
  const { stories, schedules } = await countObjects(tenantId, session);
  const records = (await countTenantRecords([tenantId], session)).get(tenantId) ?? 0;
  const stock = { stories, schedules, records };
  return [
    ...DAILY_QUOTAS.map((name) => ({
      name,
      used: usedOf(name, state),
      limit: limitOf(name),
      resetsAt: state.resetsAt,
    })),
    ...STOCK_QUOTAS.map((name) => ({ name, used: stock[name], limit: limitOf(name), resetsAt: null })),
  ];
}
