import type { ReadReplica } from '../../platform/mysql/reader/read-replica.js';
import type { Metrics } from './metrics.js';
import { setPool } from './pool-gauges.js';

/** Returns the function that sets how far the reader is, and how much of its connections is in use. */
export function createReaderGauges(
  { instruments, clear }: Pick<Metrics, 'instruments' | 'clear'>,
  reader: Pick<ReadReplica, 'database' | 'isUsable' | 'stalenessMs'>,
): () => void {
  return () => {
    setPool(instruments, 'reader', reader.database.use().shared);
    instruments.readerUsable.set({}, reader.isUsable() ? 1 : 0);
    const staleness = reader.stalenessMs();
    if (staleness === undefined) clear('readerStaleness');
    else instruments.readerStaleness.set({}, staleness / 1000);
  };
}
