import type { AttemptSummary } from '../../../clients/typescript/api.js';
import { isWarned, type Step, stepsOf } from '../../../src/console/pages/run/run-tree.js';
import { segmentsOf } from '../../../src/console/pages/run/timeline/segments.js';
import { moreOf, treeRows } from '../../../src/console/pages/run/timeline/tree-rows.js';

const NIGHT = '2026-11-26T21:26:';
const event = (id: number, previous: number[], second: string, workMs: number | null = null) => ({
  id,
  action_id: previous.length,
  action_name: `Action ${previous.length}`,
  previous_events_ids: previous,
  created_at: `${NIGHT}00Z`,
  updated_at: `${NIGHT}00Z`,
  emitted_at: `${NIGHT}${second}Z`,
  work_ms: workMs,
});
const attempt = (of: Partial<AttemptSummary>): AttemptSummary => ({
  id: 1,
  delivery_id: 9,
  agent_id: 1,
  agent_name: 'Action 1',
  event_id: 1,
  number: 1,
  outcome: 'retried',
  started_at: null,
  failed_at: `${NIGHT}00.000Z`,
  duration_ms: null,
  status: 500,
  cause: '500 · busy',
  error: 'host answered 500',
  ...of,
});
const letter = (id: number, eventId: number) => ({
  id,
  agent_id: 1,
  agent_name: 'Action 1',
  event_id: eventId,
  attempts: 2,
  error: 'host answered 500',
  cause: '500 · busy',
  error_kind: '<address> answered 500',
  created_at: `${NIGHT}00Z`,
  failed_at: `${NIGHT}30Z`,
});
const noParts = { events: [], open: [], dead: [], attempts: [] };
const seconds = (steps: Step[], at = 0, waits = false) =>
  segmentsOf(steps[at], waits).map(({ shade, from, to }) => [shade, (to - from) / 1000]);

describe('the time of a step in parts', () => {
  const start = event(1, [], '00.000');

  test('of a failure, says what was queue, what attempts, and what the waits between them', () => {
    const attempts = [
      attempt({ started_at: `${NIGHT}20.000Z`, failed_at: `${NIGHT}21.000Z` }),
      attempt({
        id: 2,
        number: 2,
        outcome: 'failed',
        started_at: `${NIGHT}29.500Z`,
        failed_at: `${NIGHT}30.000Z`,
      }),
    ];
    const steps = stepsOf({ ...noParts, events: [start], dead: [letter(9, 1)], attempts }, 0);
    expect(seconds(steps, 1)).toEqual([
      ['queue', 20],
      ['attempt', 1],
      ['pause', 8.5],
      ['attempt', 0.5],
    ]);
    expect(segmentsOf(steps[1], false).map(({ words }) => words)).toEqual([
      'queued',
      'attempt 1: 500',
      'waited for the retry',
      'attempt 2: 500',
    ]);
  });

  test('of one that came through at last, ends with its work', () => {
    const attempts = [attempt({ started_at: `${NIGHT}01.000Z`, failed_at: `${NIGHT}02.000Z` })];
    const steps = stepsOf({ ...noParts, events: [start, event(2, [1], '10.000', 3_000)], attempts }, 0);
    expect(seconds(steps, 1)).toEqual([
      ['queue', 1],
      ['attempt', 1],
      ['pause', 5],
      ['work', 3],
    ]);
    expect(isWarned(steps[1])).toBe(false);
  });

  test('of a failure that a person retried with success, ends with its work too', () => {
    const attempts = [
      attempt({ outcome: 'failed', started_at: `${NIGHT}01.000Z`, failed_at: `${NIGHT}02.000Z` }),
    ];
    const steps = stepsOf({ ...noParts, events: [start, event(2, [1], '10.000', 3_000)], attempts }, 0);
    expect(seconds(steps, 1).at(-1)).toEqual(['work', 3]);
    expect(isWarned(steps[1])).toBe(false);
  });

  test('never leaves the step, whatever the clock of the worker says', () => {
    const attempts = [attempt({ started_at: `${NIGHT}45.000Z`, failed_at: `${NIGHT}50.000Z` })];
    const steps = stepsOf({ ...noParts, events: [start, event(2, [1], '30.000', 1_000)], attempts }, 0);
    expect(seconds(steps, 1)).toEqual([
      ['queue', 30],
      ['attempt', 0],
      ['work', 0],
    ]);
  });

  test('of a delay is no queue', () => {
    const steps = stepsOf({ ...noParts, events: [start, event(2, [1], '10.000', 0)] }, 0);
    expect(seconds(steps, 1, true)).toEqual([
      ['waits', 10],
      ['work', 0],
    ]);
  });

  test('of one that went on with an error has the look of a warning', () => {
    const attempts = [
      attempt({ outcome: 'continued', number: null, status: 502, failed_at: `${NIGHT}10.000Z` }),
    ];
    const steps = stepsOf({ ...noParts, events: [start, event(2, [1], '10.000', 4_000)], attempts }, 0);
    expect(isWarned(steps[1])).toBe(true);
    expect(seconds(steps, 1)).toEqual([
      ['queue', 6],
      ['warned', 4],
    ]);
  });
});

describe('siblings of an exploded list', () => {
  const ids = Array.from({ length: 200 }, (_, index) => index + 2);
  const events = [event(1, [], '00.000'), ...ids.map((id) => event(id, [1], id < 12 ? '00.500' : '04.400'))];
  const dead = [letter(700, 150), letter(701, 1)];
  const steps = stepsOf({ ...noParts, events, dead }, 0);
  const rowsOf = (opened: ReadonlyMap<string, number> = new Map(), chosen = '') =>
    treeRows(steps, { folded: new Set(), opened, chosen });
  const GROUP = 'group-1-1';

  test('are one row with their count, their failures and what 95 % of them took', () => {
    const rows = rowsOf();
    expect(rows.map(({ kind, depth }) => [kind, depth])).toEqual([
      ['step', 0],
      ['group', 1],
    ]);
    // One failed itself, below another a step failed.
    expect(rows[1]).toMatchObject({ sums: { count: 201, failed: 2, p95: 4_400 }, isFolded: true });
  });

  test('open to a bounded list, failures first, and to more of them by a press', () => {
    const rows = rowsOf(new Map([[GROUP, moreOf(undefined)]]));
    const siblings = rows.filter(({ depth, kind }) => depth === 2 && kind === 'step').map(({ key }) => key);
    expect(siblings).toHaveLength(50);
    expect(siblings.slice(0, 2).toSorted()).toEqual(['dead-701', 'event-150']);
    expect(rows.at(-1)).toMatchObject({ kind: 'more', left: 151 });
    const further = rowsOf(new Map([[GROUP, moreOf(moreOf(undefined))]]));
    expect(further.at(-1)).toMatchObject({ kind: 'more', left: 101 });
  });

  test('show the chosen one, although their row is folded', () => {
    expect(rowsOf(new Map(), 'dead-700').map(({ key }) => key)).toEqual([
      'event-1',
      GROUP,
      'event-150',
      'dead-700',
    ]);
  });

  test('a few of them stay apart', () => {
    const few = stepsOf({ ...noParts, events: events.slice(0, 21) }, 0);
    const rows = treeRows(few, { folded: new Set(), opened: new Map(), chosen: '' });
    expect(rows.map(({ kind }) => kind)).toEqual(Array.from({ length: 21 }, () => 'step'));
  });
});
