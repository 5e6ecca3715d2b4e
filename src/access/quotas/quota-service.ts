import type { Actor } from '../auth/actor.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Session } from '../../platform/mysql/session.js';
import { NotFound } from '../../platform/errors.js';
import { DAILY_QUOTAS, type QuotaLimits, type QuotaName, STOCK_QUOTAS, usedOf } from './quota.js';
import { countStock, countTenantRecords, findStandings, saveQuotas } from './quota-store.js';
import { limitsOf } from './standing.js';

/** One quota of a tenant, as it is now. */
export interface QuotaUse {
  name: QuotaName;
  used: number;
  /** Null: as much as it likes. */
  limit: number | null;
  /** When a daily one begins anew: `YYYY-MM-DDTHH:MM:SSZ`. */
  resetsAt: string | null;
}

export type QuotaService = ReturnType<typeof createQuotaService>;

export interface QuotaServiceDeps {
  database: Pick<Database, 'read'>;
  defaults: QuotaLimits;
}

/** The quotas of tenants: seen by all of the tenant, set by whoever runs the server. */
export function createQuotaService({ database, defaults }: QuotaServiceDeps) {
  const usageOf = (tenantId: number): Promise<QuotaUse[]> =>
    database.read((session) => readUses(tenantId, defaults, session));

  return {
    /** All quotas of the actor's tenant; what was used is some seconds behind. */
    usage: (actor: Pick<Actor, 'tenantId'>): Promise<QuotaUse[]> => usageOf(actor.tenantId),

    usageOf,

    /** Sets what is given: null for the default, 0 for no limit. Holds within seconds. */
    async set(tenantId: number, limits: Partial<Record<QuotaName, number | null>>): Promise<QuotaUse[]> {
      await database.read((session) => saveQuotas(tenantId, limits, session));
      return usageOf(tenantId);
    },
  };
}

async function readUses(tenantId: number, defaults: QuotaLimits, session: Session): Promise<QuotaUse[]> {
  const [standing] = await findStandings([tenantId], session);
  if (standing === undefined) throw new NotFound('Tenant');
  const limits = limitsOf(standing.limits, defaults);
  const limitOf = (name: QuotaName) => (limits[name] === 0 ? null : limits[name]);
  const { stories, schedules } = await countStock(tenantId, session);
  const records = (await countTenantRecords([tenantId], session)).get(tenantId) ?? 0;
  const stock = { stories, schedules, records };
  return [
    ...DAILY_QUOTAS.map((name) => ({
      name,
      used: usedOf(name, standing),
      limit: limitOf(name),
      resetsAt: standing.resetsAt,
    })),
    ...STOCK_QUOTAS.map((name) => ({ name, used: stock[name], limit: limitOf(name), resetsAt: null })),
  ];
}
