import { runSuite } from '../chaos/chaos-suite.js';
import type { Scenario } from '../chaos/scenario.js';
import { SCENARIOS } from '../chaos/scenarios/index.js';

/** The quick ones; `npm run chaos` runs them all, at the full load. */
const QUICK = ['processes-killed', 'redis-flushed', 'disk-full', 'duplicated-jobs'];
/** Fewer calls than in the full suite: other tests run at the same time. */
const RATE = 20;
const SEED = 20261122;

test('under load, nothing accepted is lost or done twice when processes and stores fail', async () => {
  const { results } = await runSuite({
    scenarios: QUICK.map(scenarioNamed),
    short: true,
    seed: SEED,
    rate: RATE,
    small: true,
    searchPath: process.env['PATH'] ?? '',
  });
  expect(results.map(({ scenario, failures }) => ({ scenario, failures }))).toEqual(
    QUICK.map((scenario) => ({ scenario, failures: [] })),
  );
  for (const { accepted, completed, lost, doubled } of results) {
    expect(accepted).toBeGreaterThan(0);
    expect({ completed, lost, doubled }).toEqual({ completed: accepted, lost: 0, doubled: 0 });
  }
}, 600_000);

function scenarioNamed(name: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`There is no scenario ${name}`);
  return found;
}
