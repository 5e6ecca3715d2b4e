import * as fc from 'fast-check';
import { LongNumber, parseExact } from '../../../src/console/text/exact-json.js';
import { changesOf } from '../../../src/console/pages/event/payload-changes.js';
import { comparedPart, hasValue, mayHaveValue } from '../../../src/console/pages/events/event-match.js';
import {
  type OlderPart,
  placeIn,
  type Walked,
  walkedOn,
} from '../../../src/console/pages/events/older-part.js';
import { spanOf, type Step, stepsOf } from '../../../src/console/pages/run/run-tree.js';
import { type StepTreeRow, treeRows } from '../../../src/console/pages/run/timeline/tree-rows.js';
import { stepAfter } from '../../../src/console/pages/run/use-chosen-step.js';
import { runSourceWords } from '../../../src/console/pages/runs/run-words.js';
import { filtersIn, inputOf, queryOf } from '../../../src/console/pages/runs/run-query.js';
import { formulaOf, liquidOf, searchPathOf, valueAt } from '../../../src/console/ui/json-view/value-path.js';
import { slugOf } from '../../../src/console/text/action-slug.js';
import { jsonRows, stepsTo } from '../../../src/console/ui/json-view/json-rows.js';

const event = (id: number, previous: number[], emittedAt: string, workMs: number | null = null) => ({
  id,
  action_id: 10 * id,
  action_name: `Action ${id}`,
  previous_events_ids: previous,
  created_at: '2026-11-26T09:00:00Z',
  updated_at: '2026-11-26T09:00:00Z',
  emitted_at: `2026-11-26T09:00:${emittedAt}Z`,
  work_ms: workMs,
});
const delivery = (id: number, eventId: number | null) => ({
  id,
  agent_id: 90,
  agent_name: 'Later',
  event_id: eventId,
  attempts: 1,
  error: 'refused',
  cause: 'refused',
  created_at: '2026-11-26T09:00:01Z',
});
const stepRows = (steps: Step[], folded: string[] = []) =>
  treeRows(steps, { folded: new Set(folded), opened: new Map(), chosen: '' }) as StepTreeRow[];

describe('the tree of a run', () => {
  const steps = stepsOf(
    {
      events: [
        event(1, [], '00.100'),
        event(2, [1], '00.350', 40),
        event(3, [1], '00.400', 900),
        event(4, [1, 2], '01.000'),
      ],
      open: [{ ...delivery(5, 3), state: 'waiting', reason: 'retry', queue: 'email', waits_until: null }],
      dead: [{ ...delivery(6, 4), error_kind: 'refused', failed_at: '2026-11-26T09:00:02Z' }],
      attempts: [],
    },
    Date.parse('2026-11-26T09:00:09Z'),
  );

  test('each step stands below the newest event that led to it, and lasts from then on', () => {
    const rows = stepRows(steps);
    expect(rows.map(({ step, depth }) => [step.key, depth, step.to - step.from])).toEqual([
      ['event-1', 0, 0],
      ['event-2', 1, 250],
      ['event-4', 2, 650],
      ['dead-6', 3, 1_000],
      ['event-3', 1, 300],
      ['open-5', 2, 8_600],
    ]);
    expect(spanOf(steps).to - spanOf(steps).from).toBe(8_900);
  });

  test('a step waits in the queue until its action works, and never works before it could', () => {
    const waited = steps.map(({ key, from, began, to }) => [key, began - from, to - began]);
    expect(waited.slice(0, 4)).toEqual([
      ['event-1', 0, 0],
      ['event-2', 210, 40],
      ['event-3', 0, 300],
      ['event-4', 0, 650],
    ]);
  });

  test('a delivery leads to what became of it: its failure, another try, or the event of its action', () => {
    const [chosen, failed] = ['open-5', 'dead-6'].map((key) => steps.find((step) => step.key === key)!);
    const later = (parts: Partial<Parameters<typeof stepsOf>[0]>) =>
      stepsOf({ events: [event(3, [1], '00.400')], open: [], dead: [], attempts: [], ...parts }, 0);
    const ofLater = { ...event(7, [1, 3], '03.000'), action_id: 90 };
    const ofOther = { ...event(8, [1], '03.000'), action_id: 90 };
    const dead = { ...delivery(5, 3), error_kind: 'refused', failed_at: '2026-11-26T09:00:02Z' };
    const open = {
      ...delivery(6, 4),
      state: 'pending' as const,
      reason: 'queued' as const,
      queue: 'email',
      waits_until: null,
    };
    expect(stepAfter(chosen, later({ events: [ofOther, ofLater] }))?.key).toBe('event-7');
    expect(stepAfter(chosen, later({ events: [ofOther] }))).toBeUndefined();
    expect(stepAfter(chosen, later({ dead: [dead] }))?.key).toBe('dead-5');
    expect(stepAfter(failed, later({ open: [open] }))?.key).toBe('open-6');
    expect(stepAfter(steps[0], later({ events: [event(1, [], '00.100')] }))).toBeUndefined();
  });

  test('a folded step hides all below it, and says how many', () => {
    const rows = stepRows(steps, ['event-2']);
    expect(rows.map(({ step, below }) => [step.key, below])).toEqual([
      ['event-1', 5],
      ['event-2', 2],
      ['event-3', 1],
      ['open-5', 0],
    ]);
  });

  test('20,000 actions in a row are a tree too', () => {
    const chain = Array.from({ length: 20_000 }, (_, at): Step => {
      const one = event(at + 1, [], '00.000');
      return {
        key: `event-${at + 1}`,
        actionId: 1,
        actionName: '',
        inputId: at || undefined,
        event: one,
        attempts: [],
        from: 0,
        began: 0,
        to: 1,
      };
    });
    const rows = stepRows(chain);
    expect([rows.length, rows[0]?.below, rows.at(-1)?.depth]).toEqual([20_000, 19_999, 19_999]);
  });
});

const idsOf = (value: unknown, toggled: string[] = []) =>
  jsonRows(value, new Set(toggled)).map(({ id }) => id);

describe('the lines of a JSON value', () => {
  test('values near the root are open, long texts and long lists are folded', () => {
    const value = { a: { b: [1] }, text: 'x\ny' };
    expect(idsOf(value)).toEqual(['', '/a', '/a/b', '/a/b/0', '/text']);
    expect(idsOf(value, ['/a', '/text'])).toEqual(['', '/a', '/text', '/text~0', '/text~1']);
  });

  test('a list of a million is a thousand stretches', () => {
    const rows = jsonRows(
      Array.from({ length: 1_000_000 }, (_, at) => at),
      new Set(['~999000']),
    );
    expect(rows.length).toBe(1 + 1_000 + 1_000);
    expect(stepsTo(rows.at(-1)!)).toEqual([999_999]);
  });

  test('any value has lines, and the steps to a line lead to its value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const row of jsonRows(value, new Set())) {
          const found = stepsTo(row).reduce<unknown>(
            (at, step) => (at as Record<string, unknown>)[step],
            value,
          );
          expect(found).toBe(row.value);
        }
      }),
    );
  });
});

describe('the paths of a value', () => {
  test('a plain place and one with an odd key', () => {
    expect(formulaOf(['hook', 'body', 0, 'odd key'])).toBe('<<hook.body[0]["odd key"]>>');
    expect(liquidOf(['hook', 'say "x"', 2])).toBe(`{{ hook['say "x"'][2] }}`);
    expect(searchPathOf(['body', 'alerts', 0, 'id'])).toBe('body.alerts[0].id');
    expect(searchPathOf(['a.b'])).toBeUndefined();
    expect(slugOf('  Is it high? ')).toBe('is_it_high');
  });

  test('a search path leads to its value', () => {
    expect(valueAt({ body: { alerts: [{ id: 7 }] } }, 'body.alerts[0].id')).toBe(7);
    expect(valueAt({ body: null }, 'body.alerts')).toBeUndefined();
    expect(hasValue({ a: [{ b: 7 }] }, { path: '', value: '7' })).toBe(true);
    expect(hasValue({ a: [{ b: 7 }] }, { path: 'a[0].b', value: '8' })).toBe(false);
    expect(hasValue({ a: null }, { path: 'a', value: '' })).toBe(true);
  });
});

describe('the differences of two values', () => {
  test('places that are changed, added, missing, or of another kind', () => {
    const { changes } = changesOf({ a: 1, b: [1, 2], c: {} }, { a: 2, b: [1], c: [], d: null });
    expect(changes).toEqual([
      { path: 'a', before: 1, after: 2 },
      { path: 'b[1]', before: 2, after: undefined },
      { path: 'c', before: {}, after: [] },
      { path: 'd', before: undefined, after: null },
    ]);
  });

  test('a value does not differ from its copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(changesOf(value, structuredClone(value)).changes).toEqual([]);
      }),
    );
  });
});

describe('the filters of runs', () => {
  test('completed with warnings is asked for as two parameters', () => {
    expect(inputOf(filtersIn('status=warnings'), 0)).toEqual({ status: 'completed', warnings: true });
  });

  test('they stand in the address, and only what differs from all runs', () => {
    const query = 'story=4&status=failed&span=7d&path=body.a&value=%3Cb%3E&drafts=true';
    expect(queryOf(filtersIn(query))).toBe(query);
    expect(queryOf(filtersIn(''))).toBe('');
    expect(queryOf(filtersIn('status=odd&story=-1&span=constructor'))).toBe('');
  });
});

describe('a number of many digits', () => {
  const long = new LongNumber('12345678901234567890');

  test('is a plain value: no page looks into it', () => {
    expect(jsonRows({ id: long }, new Set()).map(({ isOpen }) => isOpen)).toEqual([true, undefined]);
    expect(hasValue({ body: [{ id: long }] }, { path: '', value: '12345678901234567890' })).toBe(true);
    expect(hasValue({ id: long }, { path: 'id.text', value: '' })).toBe(false);
  });

  test('is compared by its digits', () => {
    const same = { id: new LongNumber('12345678901234567890') };
    expect(changesOf({ id: long }, same).changes).toEqual([]);
    expect(changesOf({ id: long }, { id: new LongNumber('12345678901234567891') }).changes).toHaveLength(1);
  });

  test('changes nothing about all other JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.stringify(parseExact(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});

/** Reads pages of three of these ids until none is left, and returns the ids in the order in which they were read. */
function walk(
  part: OlderPart,
  ids: readonly number[],
  walked?: Walked,
  most = 100,
): [number[], Walked | undefined] {
  const read: number[] = [];
  let now = walked;
  for (let place = placeIn(part, now); place > 0 && read.length < most; place = placeIn(part, now)) {
    const below = ids.filter((id) => id <= place);
    const page = { ids: below.slice(0, 3), isLast: below.length <= 3 };
    read.push(...page.ids);
    now = walkedOn(part, now, page);
  }
  return [read, now];
}
const olderPart = (untilId: number): OlderPart => ({ guid: 'r', storyId: 1, untilId, left: 0 });
const idsDownFrom = (from: number) => Array.from({ length: from }, (_, index) => from - index);

const listed = (id: number, incomplete: boolean) => ({ id, incomplete, payload: incomplete ? null : 'x' });

const comparedOf = (...left: boolean[]) =>
  comparedPart(left.map((out, id) => listed(id, out))).map(({ id }) => id);

describe('a page that left payloads out', () => {
  test('was compared up to the first of them, and by its first event at least', () => {
    expect(comparedOf()).toEqual([]);
    expect(comparedOf(false, false)).toEqual([0, 1]);
    expect(comparedOf(false, false, true, false, true)).toEqual([0, 1]);
    expect(comparedOf(true, false, true)).toEqual([0, 1]);
    expect(comparedOf(true, true)).toEqual([0]);
  });

  test('may hold the value in what it left out', () => {
    expect(mayHaveValue(listed(1, true), { path: 'a', value: 'b' })).toBe(true);
    expect(mayHaveValue(listed(1, false), { path: '', value: 'x' })).toBe(true);
    expect(mayHaveValue(listed(1, false), { path: '', value: 'y' })).toBe(false);
  });
});

describe('the walk through older events of a run', () => {
  test('compares each once, and knows when none is left', () => {
    const [read, walked] = walk(olderPart(8), idsDownFrom(9));
    expect(read).toEqual(idsDownFrom(8));
    expect(walked).toEqual({ top: 8, next: 0, compared: 8 });
    expect(placeIn(olderPart(8), walked)).toBe(0);
  });

  test('goes on where it stopped', () => {
    const [first, walked] = walk(olderPart(8), idsDownFrom(9), undefined, 3);
    const [second] = walk(olderPart(8), idsDownFrom(9), walked);
    expect([first, second]).toEqual([
      [8, 7, 6],
      [5, 4, 3, 2, 1],
    ]);
  });

  test('compares those too that newer events have moved into it', () => {
    for (const stopsAfter of [3, 6, 100]) {
      for (const [came, most] of [
        [1, 100],
        [4, 100],
        [9, 3],
      ] as const) {
        const [first, walked] = walk(olderPart(8), idsDownFrom(9), undefined, stopsAfter);
        const [second, further] = walk(olderPart(8 + came), idsDownFrom(9 + came), walked, most);
        const [third] = walk(olderPart(8 + came), idsDownFrom(9 + came), further);
        const all = new Set([...first, ...second, ...third]);
        expect([stopsAfter, came, [...all].toSorted((a, b) => b - a)]).toEqual([
          stopsAfter,
          came,
          idsDownFrom(8 + came),
        ]);
      }
    }
  });
});

it('names a test call of a webhook, which has no input as other starts by hand have', () => {
  expect(runSourceWords({ source: 'api', input: null })).toBe('Test call');
  expect(runSourceWords({ source: 'api', input: {} })).toBe('Manual or API');
  expect(runSourceWords({ source: 'webhook', input: null })).toBe('Webhook');
});
