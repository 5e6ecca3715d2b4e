import { runSuite } from '../chaos/chaos-suite.js';
import { GALERA_SCENARIOS } from '../chaos/scenarios/galera/index.js';
import { galeraLacks } from '../support/galera/galera-node.js';

/** `npm run chaos -- --topology galera` runs them all, at the full load. */
const QUICK = ['galera-node-killed', 'galera-id-step'];
/** Fewer calls than by hand: other tests run at the same time. */
const RATE = 20;
const SEED = 20261126;
const LIMIT_MS = 900_000;

const missing = galeraLacks();
const where = missing === undefined ? test : test.skip;
const title = 'on two nodes of a Galera cluster, nothing accepted is lost or done twice when one is killed';

where(
  missing === undefined ? title : `${title} (${missing})`,
  async () => {
    const { results } = await runSuite({
      scenarios: GALERA_SCENARIOS.filter(({ name }) => QUICK.includes(name)),
      topology: 'galera',
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
  },
  LIMIT_MS,
);
