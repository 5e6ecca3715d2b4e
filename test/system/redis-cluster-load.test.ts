import { runSuite } from '../chaos/chaos-suite.js';
import { redisMasterKilled } from '../chaos/scenarios/redis-masters.js';

/** Fewer calls than in the full suite: other tests run at the same time. */
const RATE = 20;
const SEED = 20261126;

/** The same with sentinels: `npm run chaos -- --topology redis-sentinel --short`, before a release. */
test('under load, nothing is lost or done twice when a master of a Redis cluster is killed, and the work goes on', async () => {
  const { results } = await runSuite({
    scenarios: [redisMasterKilled],
    topology: 'redis-cluster',
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
}, 600_000);
