import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from './figures.js';
import { type Attack, victimStory, withHostileTarget } from './hostile-tenants.js';
import type { Bench, Product, Row } from './measure.js';
import { timesOf } from './quiet-runs.js';
import { atMost } from './verdicts.js';

/** Promise 9: p95 beside hostile tenants is at most the larger of these. */
const MOST = { times: 3, ms: 250 };
const SHARE = 0.95;
/** An attack goes on for a while before it counts: what is remembered of a tenant is part of the defence, what piles up of the attack. */
const BEFORE_MS = 3_000;

/** Returns a row of measure `number` for each attack: what a quiet story takes beside it. Each begins with a new start. */
export async function besideEach(bench: Bench, number: number, attacks: Attack[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const attack of attacks) {
    const row = { ...(await attacked(bench, attack)), measure: number };
    bench.say(`${row.what}: ${Math.round(row.product)} ms, alone ${Math.round(row.floor ?? 0)} ms`);
    rows.push(row);
  }
  return rows;
}

function attacked(bench: Bench, attack: Attack): Promise<Omit<Row, 'measure'>> {
  return withHostileTarget((target) =>
    bench.product(victimStory(target), async (product) => {
      // To warm up.
      await timesOf(bench, product, () => sleep(bench.quick ? 2_000 : 4_000));
      const alone = await timesOf(bench, product, () => sleep(bench.quick ? 2_000 : 6_000));
      const stopping = new AbortController();
      const calls = attack.run(product, target, stopping.signal);
      const beside = await besideAttack(bench, product, stopping);
      return rowOf(attack, { alone, beside, calls: await calls });
    }),
  );
}

/** The attack ends with the last call of the victim, whose run may still be under way. */
async function besideAttack(bench: Bench, product: Product, stopping: AbortController): Promise<number[]> {
  try {
    await sleep(BEFORE_MS);
    return await timesOf(bench, product, () => sleep(bench.quick ? 4_000 : 15_000));
  } finally {
    stopping.abort();
  }
}

function rowOf(
  { what }: Attack,
  { alone, beside, calls }: { alone: number[]; beside: number[]; calls: number },
): Omit<Row, 'measure'> {
  const before = quantile(alone, SHARE);
  const most = Math.max(MOST.times * before, MOST.ms);
  const p95 = quantile(beside, SHARE);
  return {
    what: `p95 beside ${what} (${calls} calls; p50 ${Math.round(quantile(beside, 0.5))})`,
    unit: 'ms',
    floor: before,
    product: p95,
    mustReach: `≤ ${Math.round(most)} ms`,
    verdict: atMost(p95, most),
  };
}
