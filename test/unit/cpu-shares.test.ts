import { createCpuShares } from '../../src/engine/execute/scheduling/cpu-shares.js';

const SHARE = 0.2;
const agentOf = (tenantId: number) => ({ tenantId, agentId: tenantId });
let now: number;

beforeEach(() => {
  now = 1_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** Each of these tenants uses the loop for `ms` wherever it is free, every 10 ms, and the quiet one looks whether it is. */
function race(tenants: number[], ms: number, seconds: number) {
  const shares = createCpuShares(SHARE);
  const used = new Map(tenants.map((tenant) => [tenant, 0]));
  let refused = 0;
  for (const end = now + seconds * 1000; now < end; now += 10) {
    for (const tenant of tenants) {
      if (!shares.isFree(agentOf(tenant))) continue;
      shares.spent(agentOf(tenant), ms);
      used.set(tenant, (used.get(tenant) ?? 0) + ms);
    }
    const quiet = agentOf(99);
    if (!shares.isFree(quiet)) refused += 1;
    shares.spent(quiet, 0.5);
  }
  const all = [...used.values()].reduce((sum, each) => sum + each, 0);
  return { part: all / (seconds * 1000), refused };
}

test('S4: a tenant with little work keeps the loop, however many others have used what all may', () => {
  for (const hostile of [1, 2, 5, 10]) {
    const tenants = Array.from({ length: hostile }, (_, n) => n + 1);
    const { part, refused } = race(tenants, 10, 60);
    expect({ hostile, refused }).toEqual({ hostile, refused: 0 });
    expect(part).toBeLessThan(2 * SHARE * 1.25);
  }
});

test('a tenant alone has the whole loop after ten seconds', () => {
  const shares = createCpuShares(SHARE);
  shares.isFree(agentOf(1));
  shares.spent(agentOf(1), 1_000);
  expect(shares.isFree(agentOf(1))).toBe(false);
  now += 10_001;
  expect(shares.isFree(agentOf(1))).toBe(true);
});
