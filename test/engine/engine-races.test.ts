import { assert as assertProperty, asyncProperty, array, integer } from 'fast-check';
import type { ClaimOutcome } from '../../src/engine/state/outcome.js';
import type { OutcomeWriter } from '../../src/engine/commit/outcome-writer.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import { judgeDuplicates } from '../../src/engine/commit/claims/settle-duplicates.js';
import { takeSlots } from '../../src/engine/commit/claims/settle-throttled.js';
import { done, outputs, recordingWriter, storeDeliveries } from '../support/deliveries.js';
import { useStores } from '../support/stores.js';

const stores = useStores();
const WORKERS = 8;

/** As many writers as processes would have, each with its own transactions. */
function writers(): OutcomeWriter[] {
  return Array.from({ length: WORKERS }, () => recordingWriter(stores.db).writer);
}

async function claimsFor(values: number[], claim: (value: number) => ClaimOutcome['claim']) {
  const deliveries = await storeDeliveries(stores.db, values.length);
  return deliveries.map(
    (delivery, index): ClaimOutcome => ({
      kind: 'claim',
      delivery,
      claim: claim(values[index] ?? 0),
      story: { id: 1, name: 'Story', tenantId: 1, teamId: 1 },
      granted: done(delivery, JSON.stringify({ passed: values[index] }), 0),
      refused: { ...done(delivery), outputs: [] },
      logs: [],
    }),
  );
}

const duplicates = (value: number): ClaimOutcome['claim'] => ({
  kind: 'deduplicate',
  digest: String(value).padStart(64, '0'),
  lookback: 1_000_000,
  periodSeconds: 3600,
  tolerance: 1,
});

describe('deduplicate', () => {
  it('lets a value through once inside its window, with eight workers racing', async () => {
    await assertProperty(
      asyncProperty(array(integer({ min: 0, max: 9 }), { minLength: 20, maxLength: 120 }), async (values) => {
        await stores.sql('DELETE FROM deduplicated_values');
        await stores.sql('DELETE FROM events');
        const claims = await claimsFor(values, duplicates);
        const racing = writers();
        await Promise.all(claims.map((claim, index) => racing[index % WORKERS]!.submit(claim)));
        const passed = (await outputs(stores.db)).toSorted();
        const different = [...new Set(values)].map((value) => JSON.stringify({ passed: value })).toSorted();
        expect(passed).toEqual(different);
      }),
      { numRuns: 15 },
    );
  });

  it('judges as the rules say, whatever comes', () => {
    const state = { seq: 0 };
    const seen = new Map<string, { seq: number; ageMs: number }>();
    const judge = (value: number, lookback: number, periodSeconds?: number) =>
      judgeDuplicates(
        [{ kind: 'deduplicate', digest: String(value), lookback, periodSeconds, tolerance: 1 }],
        seen,
        state,
      )[0];
    expect([judge(1, 2), judge(1, 2), judge(2, 2), judge(1, 2), judge(3, 2), judge(1, 2)]).toEqual([
      true,
      false,
      true,
      false,
      true,
      true,
    ]);
    seen.set('9', { seq: state.seq, ageMs: 5_000 });
    expect([judge(9, 100, 6), judge(9, 100, 5)]).toEqual([false, true]);
  });

  it('lets a value through as often as is tolerated, and again when one of those times is forgotten', () => {
    const state = { seq: 0 };
    const seen = new Map<string, { seq: number; ageMs: number }>();
    const judge = (value: string, lookback = 100, periodSeconds?: number) =>
      judgeDuplicates(
        [{ kind: 'deduplicate', digest: value, lookback, periodSeconds, tolerance: 2 }],
        seen,
        state,
      )[0];
    expect(['a', 'b', 'a', 'a', 'b', 'b'].map((value) => judge(value))).toEqual([
      true,
      true,
      true,
      false,
      true,
      false,
    ]);
    expect([judge('a', 3), judge('a', 3)]).toEqual([true, false]);
    seen.set('b', { seq: state.seq, ageMs: 9_000 });
    expect([judge('b', 100, 9), judge('b', 100, 9)]).toEqual([true, false]);
  });
});

describe('throttle', () => {
  it('gives every slot once, evenly spaced, with eight workers racing', async () => {
    const claims = await claimsFor(
      Array.from({ length: 40 }, (_, index) => index),
      () => ({ kind: 'throttle', perSlot: 2, slotMs: 60_000 }),
    );
    const racing = writers();
    await Promise.all(claims.map((claim, index) => racing[index % WORKERS]!.submit(claim)));
    expect(await outputs(stores.db)).toHaveLength(2);
    const rows = await stores.db.read((session) =>
      session.rows<{ slot: string; waiting: number }>(
        `SELECT ROUND(TIMESTAMPDIFF(MICROSECOND, NOW(3), resume_at) / 60000000) AS slot, COUNT(*) AS waiting
         FROM deliveries WHERE state = 'waiting' GROUP BY slot ORDER BY slot`,
      ),
    );
    expect(rows.map(({ slot, waiting }) => [Number(slot), waiting])).toEqual(
      Array.from({ length: 19 }, (_, index) => [index + 1, 2]),
    );
  });

  it('starts afresh when nothing has passed for a while', () => {
    const state = { slotAtMs: 0, used: 0 };
    const claims = Array.from({ length: 3 }, () => ({ kind: 'throttle', perSlot: 1, slotMs: 100 }) as const);
    expect(takeSlots(claims, state, 1_000)).toEqual([1_000, 1_100, 1_200]);
    expect(takeSlots(claims, state, 1_250)).toEqual([1_300, 1_400, 1_500]);
    expect(takeSlots(claims, state, 9_000)).toEqual([9_000, 9_100, 9_200]);
  });
});

describe('a sleep', () => {
  it('is never over early, by the database’s clock', async () => {
    const deliveries = await storeDeliveries(stores.db, 20);
    const { writer } = recordingWriter(stores.db);
    await Promise.all(
      deliveries.map((delivery, index) =>
        writer.submit({ kind: 'sleep', delivery, delayMs: index * 137, error: null, logs: [] }),
      ),
    );
    const rows = await stores.db.read((session) =>
      session.rows<{ early: number }>(
        `SELECT COUNT(*) AS early FROM deliveries
         WHERE resume_at < created_at + INTERVAL (id - ?) * 137000 MICROSECOND OR due_at < resume_at`,
        [deliveries[0]!.id],
      ),
    );
    expect(rows[0]?.early).toBe(0);
  });
});

describe('a group', () => {
  it('that eight workers see whole at once becomes one event', async () => {
    const deliveries = await storeDeliveries(stores.db, 8);
    const last = deliveries.at(-1)!;
    const whole = {
      ...done(last, '["joined"]', 0),
      alsoConsumes: deliveries.slice(0, -1).map(({ id }) => id),
    };
    const committed = await Promise.all(writers().map((writer) => writer.submit(whole)));
    expect(committed.filter(({ applied }) => applied)).toHaveLength(1);
    expect(await outputs(stores.db)).toEqual(['["joined"]']);
  });

  it('is not made of tokens that are partly gone', async () => {
    const deliveries = await storeDeliveries(stores.db, 3);
    const { writer } = recordingWriter(stores.db);
    await writer.submit(done(deliveries[0]!, '{"alone":1}', 0));
    const whole = {
      ...done(deliveries[2]!, '["joined"]', 0),
      alsoConsumes: [deliveries[0]!.id, deliveries[1]!.id],
    };
    expect((await writer.submit(whole)).applied).toBe(false);
    expect(await outputs(stores.db)).toEqual(['{"alone":1}']);
  });
});

test('a call whose COMMIT is repeated begins one run', async () => {
  const [delivery] = await storeDeliveries(stores.db, 1);
  const guid = newRunGuid();
  const outcome = {
    kind: 'parked' as const,
    delivery: delivery!,
    call: {
      start: { guid, storyId: 1, agentId: 2, source: 'send_to_story' as const, input: '{}', called: true },
      call: { storyRunGuid: guid, caller: delivery!, path: [1] },
    },
    logs: [],
  };
  const results = await Promise.all(writers().map((writer) => writer.submit(outcome)));
  expect(results.filter(({ applied }) => applied)).toHaveLength(1);
  const runs = await stores.db.read((session) =>
    session.rows('SELECT id FROM story_runs WHERE guid = ?', [guid]),
  );
  expect(runs).toHaveLength(1);
});
