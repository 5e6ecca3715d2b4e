import type { Instruments } from '../../platform/metrics/metric-registry.js';
import type { PoolUse } from '../../platform/mysql/hosts/host-pool.js';
import type { Database } from '../../platform/mysql/database.js';
import type { MetricList } from './metric-list.js';

/** Returns the function that sets how much of the connections to MySQL is in use. */
export function createPoolGauges(instruments: Instruments<MetricList>, database: Database): () => void {
  const { poolConnections, poolLimit, poolWaiting, databaseMismatches } = instruments;
  const set = (pool: string, { used, idle, waiting, limit }: PoolUse) => {
    poolConnections.set({ pool, state: 'used' }, used);
    poolConnections.set({ pool, state: 'idle' }, idle);
    poolWaiting.set({ pool }, waiting);
    poolLimit.set({ pool }, limit);
  };
  return () => {
    const { shared, groupCommit, ids } = database.use();
    set('shared', shared);
    set('group_commit', groupCommit);
    set('ids', ids);
    databaseMismatches.set({}, database.mismatches());
  };
}
