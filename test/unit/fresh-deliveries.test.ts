import { createFreshDelivery } from '../../src/engine/execute/delivery-loader.js';
import type { DeliveryRow } from '../../src/engine/state/deliveries/delivery-store.js';

const JOB = { deliveryId: 7, generation: 2 };
const rowOf = (generation: number) => ({ id: 7, generation }) as DeliveryRow;

/** A node of the database that has these rows, one after the other; the last one stays. */
function laggingNode(...rows: (DeliveryRow | undefined)[]) {
  let looks = 0;
  const delivery = () => Promise.resolve(rows[Math.min(looks++, rows.length - 1)]);
  return { find: createFreshDelivery({ delivery }), looks: () => looks };
}

describe('the delivery of a fresh job', () => {
  it('is looked at again if the node of the database does not have it yet', async () => {
    const { find } = laggingNode(undefined, undefined, rowOf(2));
    expect(await find(JOB, 10)).toEqual(rowOf(2));
  });

  it('is looked at again if the node has an older row', async () => {
    const { find } = laggingNode(rowOf(1), rowOf(2));
    expect(await find(JOB, 10)).toEqual(rowOf(2));
  });

  it('is looked at once if its row is there, or is newer than the job', async () => {
    for (const row of [rowOf(2), rowOf(3)]) {
      const { find, looks } = laggingNode(row);
      expect(await find(JOB, 10)).toEqual(row);
      expect(looks()).toBe(1);
    }
  });

  it('is looked at a few times only', async () => {
    const { find, looks } = laggingNode(undefined);
    expect(await find(JOB, 10)).toBeUndefined();
    expect(looks()).toBeLessThan(10);
  });

  it('is looked at once if the job is old, or many others are looked at again', async () => {
    const { find, looks } = laggingNode(undefined);
    expect(await find(JOB, 60_000)).toBeUndefined();
    expect(await find(JOB)).toBeUndefined();
    expect(looks()).toBe(2);
    const others = Array.from({ length: 100 }, () => find(JOB, 10));
    await Promise.all(others);
    expect(looks()).toBeLessThan(250);
  });
});
