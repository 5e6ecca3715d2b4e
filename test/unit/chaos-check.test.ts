import { takeAccount } from '../chaos/check.js';
import { ELEMENTS, expectedEvents } from '../chaos/load-story.js';
import type { Ledger } from '../chaos/load.js';
import { createRandomness } from '../chaos/randomness.js';
import type { World } from '../chaos/world.js';

interface Stored {
  guid: string;
  number: number;
  events: Record<string, number>;
}

const whole = (number: number): Stored => ({ guid: `run-${number}`, number, events: expectedEvents(number) });

/** Answers the three questions of the check about runs. */
function rowsOf(runs: Stored[]) {
  return (sql: string): unknown[] => {
    if (sql.startsWith('SELECT guid')) return runs.map(({ guid }) => ({ guid }));
    if (sql.includes('COUNT(*)'))
      return runs.flatMap(({ guid, events }) =>
        Object.entries(events).map(([agent, count]) => ({ guid, agent, events: count })),
      );
    return runs.flatMap(({ guid, number }) => [
      { guid, agent: 'Receive', payload: JSON.stringify({ number }) },
      { guid, agent: 'Join', payload: JSON.stringify(ELEMENTS) },
    ]);
  };
}

/** The findings of the check for two accepted calls with these runs, requests and mails. */
function account(runs: Stored[], keys: Record<number, string[]> = { 1: ['a'], 2: ['b'] }) {
  const received = new Map(Object.entries(keys).map(([number, each]) => [Number(number), each]));
  const world = {
    stores: { db: { read: (work: (session: object) => unknown) => work({ rows: rowsOf(runs) }) } },
    story: { id: 1 },
    outside: { calls: () => received, mails: () => received },
    mayBeGone: () => false,
  } as unknown as World;
  const responses = new Map([1, 2].map((number) => [number, { number, status: 201, guid: `run-${number}` }]));
  return takeAccount(world, { responses } as unknown as Ledger);
}

describe('the check of the fault suite', () => {
  it('finds nothing where nothing is wrong', async () => {
    expect(await account([whole(1), whole(2)])).toMatchObject({
      completed: 2,
      lost: 0,
      doubled: 0,
      broken: [],
    });
  });

  it('finds a lost run, and a run that is not whole', async () => {
    const found = await account([{ ...whole(1), events: { ...expectedEvents(1), Call: 0 } }]);
    expect(found).toMatchObject({ completed: 0, lost: 2, doubled: 0 });
    expect(found.broken.join()).toContain('accepted, but not whole');
  });

  it('finds an event and a run that are there twice', async () => {
    const twice = { ...whole(1), events: { ...expectedEvents(1), Pass: ELEMENTS.length + 1 } };
    expect((await account([twice, whole(2)])).doubled).toBe(1);
    expect((await account([whole(1), whole(2), { ...whole(2), guid: 'another' }])).doubled).toBe(1);
  });

  it('finds requests and mails that never came, or came with another key', async () => {
    const { broken } = await account([whole(1), whole(2)], { 1: ['a', 'other'] });
    expect(broken.join()).toContain('the HTTP request never came');
    expect(broken.join()).toContain('a mail came again with another key');
  });
});

/** The choices of a seed: a time, a victim and an order. */
const drawn = (seed: number) => {
  const chance = createRandomness(seed);
  return [chance.between(0, 1e9), chance.pick(['a', 'b', 'c']), ...chance.shuffle([1, 2, 3, 4, 5])];
};

it('the same seed gives the same times and victims', () => {
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(7)).not.toEqual(drawn(8));
});
