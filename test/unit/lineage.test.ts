import { loadInput } from '../../src/engine/execute/call/agent-input.js';
import { createEventCache, type CachedEvent } from '../../src/engine/state/events/event-cache.js';
import { ancestry, extendLineage, type Lineage, parseLineage } from '../../src/agents/lineage.js';

/** The lineages of a chain of agents, each event led to by the one before; ids count from 1. */
function chain(...slugs: string[]): Lineage[] {
  const lineages: Lineage[] = [];
  slugs.forEach((slug, index) => {
    const before = lineages[index - 1];
    lineages.push(extendLineage(slug, before === undefined ? undefined : { id: index, lineage: before }));
  });
  return lineages;
}

describe('the lineage of an event', () => {
  test('begins with itself', () => {
    expect(extendLineage('hook')).toEqual({ hook: 0 });
  });

  test('names each upstream event, oldest first', () => {
    const last = chain('hook', 'parse', 'check')[2]!;
    expect(Object.entries(last)).toEqual([
      ['hook', 1],
      ['parse', 2],
      ['check', 0],
    ]);
    expect(ancestry(3, last)).toEqual([
      ['hook', 1],
      ['parse', 2],
      ['check', 3],
    ]);
  });

  test('keeps the latest of two agents with one slug', () => {
    expect(chain('hook', 'step', 'other', 'step')[3]).toEqual({ hook: 1, other: 3, step: 0 });
  });

  test('is bounded by the number of agents in a loop, however often it goes round', () => {
    const slugs = ['hook', ...Array.from({ length: 300 }, (_value, index) => `step_${index % 3}`)];
    const last = chain(...slugs).at(-1)!;
    expect(last).toEqual({ hook: 1, step_0: 299, step_1: 300, step_2: 0 });
  });

  test('survives being stored, its order included', () => {
    const lineage = chain('b', 'a', 'c')[2]!;
    expect(Object.keys(parseLineage(JSON.stringify(lineage)))).toEqual(['b', 'a', 'c']);
  });

  // JavaScript objects put such keys first, whatever the order they came in.
  test('has every ancestor of an agent whose slug is a number too', () => {
    const last = chain('hook', '42', 'check')[2]!;
    expect(Object.fromEntries(ancestry(9, last))).toEqual({ hook: 1, '42': 2, check: 9 });
  });

  test.each(['constructor', 'tostring', 'hasownproperty', 'proto'])(
    'takes an agent called %s like any other',
    (slug) => {
      const last = chain('hook', slug, 'check')[2]!;
      const parts = new Map(ancestry(9, parseLineage(JSON.stringify(last))));
      expect(parts.get(slug)).toBe(2);
      expect(parts.size).toBe(3);
    },
  );
});

/** An event in the cache. */
const event = (id: number, payload: CachedEvent['payload'], lineage: Lineage): CachedEvent => ({
  id,
  agentId: id,
  payload,
  lineage,
});

describe('the payload that a receiver sees', () => {
  const lineages = chain('hook', 'parse', 'check');
  const stored = new Map([
    [1, event(1, { body: 'b' }, lineages[0]!)],
    [2, event(2, ['p'], lineages[1]!)],
  ]);
  const last = event(3, { rule_matched: true }, lineages[2]!);
  const asked: number[][] = [];
  const loader = {
    events: async (ids: number[]) => {
      asked.push(ids);
      return new Map(ids.flatMap((id) => (stored.has(id) ? [[id, stored.get(id)!]] : [])));
    },
  };
  beforeEach(() => void (asked.length = 0));

  test('has one key for each upstream action, oldest first', async () => {
    const { payload } = await loadInput(last, 'all', loader);
    expect(Object.entries(payload)).toEqual([
      ['hook', { body: 'b' }],
      ['parse', ['p']],
      ['check', { rule_matched: true }],
    ]);
    expect(asked).toEqual([[1, 2]]);
  });

  test('has only what the templates name, and always the event itself', async () => {
    expect((await loadInput(last, new Set(['parse']), loader)).payload).toEqual({
      parse: ['p'],
      check: { rule_matched: true },
    });
    expect((await loadInput(last, new Set(), loader)).payload).toEqual({ check: { rule_matched: true } });
    // The second time nothing was missing, so nobody was asked.
    expect(asked).toEqual([[2]]);
  });

  test('lacks the key of an ancestor that retention has taken', async () => {
    stored.delete(1);
    expect(Object.keys((await loadInput(last, 'all', loader)).payload)).toEqual(['parse', 'check']);
  });
});

const cacheable = (id: number, text: string) => ({
  id,
  agentId: 1,
  payload: JSON.stringify(text),
  lineage: {},
});

describe('the cache of events', () => {
  test('gives what was added, and forgets the oldest when its bytes are used up', () => {
    const cache = createEventCache(10_000);
    for (let id = 1; id <= 6; id += 1) cache.add(cacheable(id, 'x'.repeat(400)));
    expect(cache.get(6)?.payload).toBe('x'.repeat(400));
    expect(cache.get(1)).toBeUndefined();
  });

  test('passes an event on that is larger than the whole cache, without keeping it', () => {
    const cache = createEventCache(10_000);
    cache.add(cacheable(1, 'small'));
    expect(cache.read(cacheable(2, 'x'.repeat(20_000))).payload).toHaveLength(20_000);
    expect(cache.get(2)).toBeUndefined();
    expect(cache.get(1)?.payload).toBe('small');
  });

  test('parses an event once more when it is read again, and no more after that', () => {
    const cache = createEventCache(10_000);
    cache.add({ ...cacheable(1, ''), payload: '{"made":true}' });
    const read = cache.read({ ...cacheable(2, ''), payload: '{"loaded":true}' }).payload;
    const [first, second, third] = [cache.get(1), cache.get(1), cache.get(1)].map((event) => event?.payload);
    expect([read, first, second]).toEqual([{ loaded: true }, { made: true }, { made: true }]);
    expect(third).toBe(second);
    expect(cache.get(2)?.payload).toBe(cache.get(2)?.payload);
  });
});
