import { runSuite } from '../chaos/chaos-suite.js';
import { redisMasterKilled } from '../chaos/scenarios/redis-masters.js';

/** Fewer calls than in the full suite: other tests run at the same time. */
const RATE = 20;
const SEED = 20261126;

test.each(['redis-cluster', 'redis-sentinel'] as const)(
  'under load, nothing is lost or done twice when a master of %s is killed, and the work goes on',
  async (topology) => {
    const { results } = await runSuite({
      scenarios: [redisMasterKilled],
      topology,
      short: true,
      seed: SEED,
      rate: RATE,
      small: true,
      searchPath: process.env['PATH'] ?? '',
    });
    const [result] = results;
    expect(result?.failures).toEqual([]);
    expect(result?.accepted).toBeGreaterThan(0);
    expect(result).toMatchObject({ completed: result?.accepted, lost: 0, doubled: 0 });
  },
  600_000,
);
