import type { Instruments } from '../../platform/metrics/metric-registry.js';
import type { PoolUse } from '../../platform/mysql/hosts/host-pool.js';
import type { Database } from '../../platform/mysql/database.js';
import type { MetricList } from './metric-list.js';

/** Returns the function that sets how much of the connections to MySQL is in use. */
export function createPoolGauges(instruments: Instruments<MetricList>, database: Database): () => void {
  return () => {
    const { shared, groupCommit, ids } = database.use();
    setPool(instruments, 'shared', shared);
    setPool(instruments, 'group_commit', groupCommit);
    setPool(instruments, 'ids', ids);
    instruments.databaseMismatches.set({}, database.mismatches());
  };
}

/** Sets the gauges of one pool of connections. */
export function setPool(
  { poolConnections, poolLimit, poolWaiting }: Instruments<MetricList>,
  pool: string,
  { used, idle, waiting, limit }: PoolUse,
): void {
  poolConnections.set({ pool, state: 'used' }, used);
  poolConnections.set({ pool, state: 'idle' }, idle);
  poolWaiting.set({ pool }, waiting);
  poolLimit.set({ pool }, limit);
}
