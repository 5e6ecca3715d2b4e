import { DELIVERY_QUEUES } from '../../src/agents/delivery-queues.js';
import { readConfig } from '../../src/config/config.js';
import { QUEUES } from '../../src/engine/dispatch/jobs.js';
import { jobsOfPart } from '../../src/engine/dispatch/adding/jobs-at-once.js';
import {
  bullPrefix,
  partName,
  queuePartOf,
  queuePartsOf,
  type QueuePart,
} from '../../src/engine/dispatch/parts/queue-part.js';

const stores = { DATABASE_URL: 'mysql://user@host/name', REDIS_URL: 'redis://host' };
const partsIn = (QUEUE_PARTS?: string) =>
  readConfig(QUEUE_PARTS === undefined ? stores : { ...stores, QUEUE_PARTS }).queueParts;

const upTo = (count: number): QueuePart[] => queuePartsOf({ trigger: count }, 'trigger');
/** The jobs at once of each known part, of a process that fills the first `own`. */
const shares = (own: number, known: number, workerConcurrency: number): number[] =>
  upTo(known).map((part) => jobsOfPart(part, { own: upTo(own), known: upTo(known) }, { workerConcurrency }));

describe('QUEUE_PARTS', () => {
  it.each([
    [undefined, {}],
    ['', {}],
    ['http-request=4', { 'http-request': 4 }],
    ['event-transformation=4, http-request=2', { 'event-transformation': 4, 'http-request': 2 }],
    [' trigger = 32 ,email=1', { trigger: 32, email: 1 }],
  ])('%s is read', (given, parts) => {
    expect(partsIn(given)).toEqual(parts);
  });

  it('may name every queue but the spool', () => {
    const all = DELIVERY_QUEUES.map((queue) => `${queue}=2`).join(',');
    expect(Object.keys(partsIn(all)).toSorted()).toEqual([...DELIVERY_QUEUES].toSorted());
  });

  it.each([
    'webhook-events=2',
    'maintenance=2',
    'http=2',
    'trigger',
    'trigger=0',
    'trigger=33',
    'trigger=-1',
    'trigger=2.5',
    'trigger=1e1',
    'trigger=99999999999',
    'trigger=2=3',
    'constructor=2',
  ])('%s is refused with what is expected', (given) => {
    expect(() => partsIn(given)).toThrow(
      /QUEUE_PARTS has ".*"; expected NAME=NUMBER.* 1 to 32 .*http-request/s,
    );
  });

  it('names each queue once', () => {
    expect(() => partsIn('trigger=2,trigger=3')).toThrow('QUEUE_PARTS names "trigger" twice');
  });
});

describe('a part', () => {
  it('has the name and the keys of its queue if it is the first', () => {
    for (const queue of QUEUES) {
      expect(partName({ queue, part: 1 })).toBe(queue);
      expect(bullPrefix('fabula', { queue, part: 1 })).toBe(`{fabula-${queue}}`);
    }
  });

  it('has a name and a hash tag of its own otherwise', () => {
    const parts = QUEUES.flatMap((queue) =>
      queuePartsOf(Object.fromEntries(QUEUES.map((each) => [each, 32])), queue),
    );
    expect(parts).toHaveLength(1 + 32 * DELIVERY_QUEUES.length);
    expect(new Set(parts.map((part) => bullPrefix('fabula', part))).size).toBe(parts.length);
    expect(bullPrefix('fabula', { queue: 'trigger', part: 2 })).toBe('{fabula-trigger-2}');
  });

  it.each([1, 2, 3, 7, 32])('of %i gets its share of ids, whatever the pattern of the ids', (count) => {
    const ids = 20_000;
    for (const step of [1, 2, 3, 4, 10, 32, 610, 1_000, 1_024, 65_536, 2 ** 32]) {
      const sizes = Array.from({ length: count }, () => 0);
      for (let index = 0; index < ids; index += 1) {
        const part = queuePartOf(7_000_000 + index * step, count);
        sizes[part - 1] = (sizes[part - 1] ?? Number.NaN) + 1;
      }
      // Six deviations of a fair draw.
      const most = ids / count + 6 * Math.sqrt(ids / count);
      expect([step, Math.max(...sizes) < most]).toEqual([step, true]);
    }
  });

  it('of a delivery depends on its id alone', () => {
    expect([1, 2, 3, 4, 5, 1_000_000, Number.MAX_SAFE_INTEGER].map((id) => queuePartOf(id, 4))).toEqual(
      [1, 2, 3, 4, 5, 1_000_000, Number.MAX_SAFE_INTEGER].map((id) => queuePartOf(id, 4)),
    );
  });
});

describe('the jobs that a process runs at once', () => {
  it.each([
    ['one part has all', [1, 1, 50], [100]],
    ['parts divide them', [4, 4, 50], [25, 25, 25, 25]],
    ['the first ones get what is left', [3, 3, 50], [34, 33, 33]],
    ['each part has one at least', [4, 4, 1], [1, 1, 1, 1]],
    ['parts of others come on top', [1, 4, 50], [100, 25, 25, 25]],
    ['parts that were there before come on top', [2, 4, 50], [50, 50, 25, 25]],
  ] as const)('%s', (_name, [own, known, concurrency], expected) => {
    expect(shares(own, known, concurrency)).toEqual(expected);
  });
});
