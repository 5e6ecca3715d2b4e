import type {
  Action,
  StoryTest,
  StoryTestCoverage,
  StoryTestDifference,
} from '../../../clients/typescript/api.js';
import { edgesOf, nodesOf } from '../../../src/console/canvas/graph-elements.js';
import {
  answerOfText,
  looksBroken,
  textOfAnswer,
} from '../../../src/console/pages/story/tests/edit/answer-text.js';
import { MATCHERS, matcherText } from '../../../src/console/pages/story/tests/edit/matchers.js';
import {
  missingParts,
  untestedIn,
  untestedSentences,
} from '../../../src/console/pages/story/tests/model/coverage-marks.js';
import {
  expectFound,
  mayExpect,
  stepsOf,
} from '../../../src/console/pages/story/tests/model/expect-found.js';
import { listsIn, withList } from '../../../src/console/pages/story/tests/model/expectations.js';
import { EMPTY_TEST, formFault, freeName } from '../../../src/console/pages/story/tests/model/test-shape.js';
import { knownAfter, summaryOf } from '../../../src/console/pages/story/tests/model/test-report.js';
import {
  coverageWords,
  expectedWords,
  outcomeWords,
  placeWords,
} from '../../../src/console/pages/story/tests/model/test-words.js';

const difference = (given: Partial<StoryTestDifference>): StoryTestDifference => ({
  kind: 'events',
  action: 'Grade',
  index: 0,
  path: '',
  expected: 1,
  text: '',
  ...given,
});

const TEST: StoryTest = {
  name: 'Alerts',
  expect: { events: { Grade: [{ text: 'Risk 7', by: [{ name: 'a' }], 'odd key': 1 }] } },
};

describe('stories as software: a test in the console', () => {
  it('expects what was found, at the place of the difference', () => {
    expect(stepsOf('by[0].name')).toEqual(['by', 0, 'name']);
    expect(stepsOf('["odd key"].x[2]')).toEqual(['odd key', 'x', 2]);
    const changed = expectFound(TEST, [
      difference({ path: 'by[0].name', instead: 'b' }),
      difference({ path: '["odd key"]', instead: { $absent: true } }),
      difference({ kind: 'mails', action: 'Tell', index: null, instead: [{ to: ['a'] }] }),
    ]);
    expect(changed.expect).toEqual({
      events: { Grade: [{ text: 'Risk 7', by: [{ name: 'b' }], 'odd key': { $absent: true } }] },
      mails: { Tell: [{ to: ['a'] }] },
    });
    expect(TEST.expect.events?.['Grade']?.[0]).toMatchObject({ 'odd key': 1 });
  });

  it('takes the length of a list before the values in it, whose places are those of the new list', () => {
    const length = difference({ index: null, expected: 1, found: 2, instead: [{ n: 1 }, { n: 2 }] });
    const value = difference({ index: 1, path: 'n', instead: 3 });
    expect([mayExpect(length, [length, value]), mayExpect(value, [length, value])]).toEqual([true, false]);
    expect(mayExpect(value, [value])).toBe(true);
    expect(expectFound(TEST, [value, length]).expect.events).toEqual({ Grade: [{ n: 1 }, { n: 3 }] });
  });

  it('has a name of its own, and words for what it expects', () => {
    expect(freeName('Alerts', ['Alerts', 'Alerts 2'])).toBe('Alerts 3');
    expect(freeName('x'.repeat(300), ['x'.repeat(200)])).toBe(`${'x'.repeat(198)} 2`);
    expect(freeName('  ', [])).toBe('Test');
    expect(placeWords({ kind: 'requests', index: 1, path: 'body.title' })).toBe('request 2, body.title');
    expect(placeWords({ kind: 'mails', index: null, path: '' })).toBe('number of mails');
    expect(expectedWords({ $type: 'number' })).toEqual({ words: 'a value of type number' });
    expect(expectedWords({ $contains: 'High' })).toEqual({ words: 'a value that contains', value: 'High' });
    expect(expectedWords({ $any: true, other: 1 })).toEqual({ value: { $any: true, other: 1 } });
  });

  it('is shown as a form only if the form can show it', () => {
    expect(formFault(EMPTY_TEST)).toBeUndefined();
    expect(formFault([])).toBe('A test is a JSON object.');
    expect(formFault({ ...TEST, at: 5 })).toBe('"at" must be a text.');
    expect(formFault({ ...TEST, answers: [{ url: { regex: '^a' } }, { status: 200 }] })).toBe(
      'Each of "answers" must be an object with a "url".',
    );
    expect(formFault({ ...TEST, expect: { events: { Grade: {} } } })).toMatch(/^"expect.events" must be/);
  });

  it('lists what is expected by action, and forgets a kind with its last list', () => {
    const expectation = { events: { B: [1], A: [] }, mails: { B: [2] } };
    expect(listsIn(expectation).map(({ action, kind }) => `${action} ${kind}`)).toEqual([
      'B events',
      'B mails',
      'A events',
    ]);
    expect(withList(expectation, { kind: 'mails', action: 'B' }, undefined)).toEqual({
      events: { B: [1], A: [] },
    });
    expect(withList({}, { kind: 'errors', action: 'A' }, [])).toEqual({ errors: { A: [] } });
  });

  it('keeps the body of a response as it was written: JSON as JSON, text as text', () => {
    for (const answer of [{ a: 1 }, 'plain', '{"a":1}', '', 5, null, ['x'], '"quoted"']) {
      expect(answerOfText(textOfAnswer(answer))).toEqual(answer === '' ? undefined : answer);
    }
    expect([looksBroken('{"a": 1'), looksBroken('hello'), looksBroken('{"a": 1}')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('has matchers that are made of the value whose place they take', () => {
    const texts = MATCHERS.map((matcher) => matcherText(matcher, 'INC-1 (new)'));
    expect(texts).toEqual([
      '{"$any": true}',
      '{"$absent": true}',
      '{"$pattern": "^INC-1 \\\\(new\\\\)$"}',
      '{"$contains": "INC-1 (new)"}',
      '{"$equal": "INC-1 (new)"}',
    ]);
  });
});

const action = (id: number, name: string, receivers: [number, string][] = []): Action =>
  ({
    id,
    name,
    guid: `guid-${id}`,
    type: 'Agents::TriggerAgent',
    options: {},
    disabled: false,
    position: { x: 0, y: id * 100 },
    receivers: receivers.map(([to]) => to),
    links_to_receivers: receivers.map(([to, type]) => ({ receiver_id: to, type })),
  }) as unknown as Action;

const ACTIONS = [
  action(1, 'Hook', [
    [2, 'DEFAULT'],
    [3, 'DEFAULT'],
  ]),
  action(2, 'Is it high?', [
    [3, 'DEFAULT'],
    [4, 'NO_MATCH'],
  ]),
  action(3, 'Ticket', [[4, 'FAILURE']]),
  action(4, 'Mail', [[3, 'DEFAULT']]),
];
const of = (id: number) => ({ name: ACTIONS[id - 1]?.name ?? '', guid: `guid-${id}` });
const COVERAGE: StoryTestCoverage = {
  actions: [1, 2, 3, 4].map((id) => ({ ...of(id), covered: id !== 4 })),
  links: [
    { source: of(1), receiver: of(2), kind: 'normal', covered: true },
    { source: of(1), receiver: of(3), kind: 'normal', covered: false },
    { source: of(2), receiver: of(3), kind: 'normal', covered: true },
    { source: of(2), receiver: of(4), kind: 'secondary', covered: false },
    { source: of(3), receiver: of(4), kind: 'failure', covered: false },
    { source: of(4), receiver: of(3), kind: 'normal', covered: false },
  ],
  rules: [
    { action: of(2), rule: 0, holds: true, fails: true },
    { action: of(2), rule: 1, holds: true, fails: false },
  ],
  covered: 8,
  all: 14,
};

const result = (name: string, ok: boolean) => ({ name, ok, took_ms: 1, differences: [], problems: [] });

describe('stories as software: coverage in the console', () => {
  it('lists what no test reaches, without what follows from it, and where it is', () => {
    expect(missingParts(COVERAGE, ACTIONS)).toEqual([
      { kind: 'action', text: 'Mail', actionId: 4 },
      { kind: 'link', text: 'Hook → Ticket', actionId: 1 },
      { kind: 'branch', text: 'Is it high?: rule 2 fails', actionId: 2 },
    ]);
    expect(missingParts(COVERAGE, []).map(({ actionId }) => actionId)).toEqual(Array(3).fill(undefined));
  });

  it('says it at the action', () => {
    expect(untestedSentences(COVERAGE, ACTIONS, 2)).toEqual([
      'No test takes the link without a match to Mail.',
      'No test takes the branch where rule 2 fails.',
    ]);
    expect(untestedSentences(COVERAGE, ACTIONS, 4)).toEqual(['No test reaches this action.']);
    expect(untestedSentences(COVERAGE, ACTIONS, 1)).toEqual(['No test takes the link to Ticket.']);
  });

  it('marks actions and links on the canvas by words and lines', () => {
    const graph = { actions: ACTIONS, notes: [] };
    const untested = untestedIn(COVERAGE, ACTIONS);
    const nodes = nodesOf(graph, {
      activity: undefined,
      counts: undefined,
      notRunnable: new Set(),
      search: '',
      untested,
    });
    expect(nodes.map(({ ariaLabel }) => ariaLabel)).toEqual([
      'Hook, action',
      'Is it high?, action, a branch untested',
      'Ticket, action',
      'Mail, action, no test',
    ]);
    const marked = edgesOf(graph, { untested }).map(({ id, label, className }) => [
      id,
      label,
      className?.split(' ').includes('untested'),
    ]);
    expect(marked).toEqual([
      ['1-2-DEFAULT', undefined, false],
      ['1-3-DEFAULT', 'no test', true],
      ['2-3-DEFAULT', undefined, false],
      // The box at its end says it.
      ['2-4-NO_MATCH', 'no match', true],
      ['3-4-FAILURE', 'failure', true],
      ['4-3-DEFAULT', undefined, true],
    ]);
    expect(edgesOf(graph).every(({ className }) => !className?.includes('untested'))).toBe(true);
  });

  it('is told in figures, and never rounded up to all', () => {
    expect(coverageWords({ covered: 31, all: 40 })).toBe('31 of 40 parts (78 %)');
    expect(coverageWords({ covered: 999, all: 1_000 })).toBe('999 of 1,000 parts (99 %)');
    expect(coverageWords({ covered: 0, all: 0 })).toBe('no parts');
    expect(outcomeWords({ passed: 3, failed: 1 })).toBe('1 of 4 tests fails.');
    expect(outcomeWords({ passed: 4, failed: 0 })).toBe('All 4 tests pass.');
    expect(outcomeWords({ passed: 1, failed: 0 })).toBe('The test passes.');
  });

  it('is that of the last run of all tests; a run of one changes its result alone', () => {
    const none = { ...COVERAGE, covered: 0 };
    const all = { ok: false, results: [result('a', true), result('b', false)], coverage: COVERAGE };
    const known = knownAfter(undefined, all, { editedAt: 'then' });
    const one = knownAfter(known, { ok: true, results: [result('b', true)], coverage: none }, undefined);
    expect([...one.results.values()].map(({ ok }) => ok)).toEqual([true, true]);
    expect([one.coverage, one.editedAt]).toEqual([COVERAGE, 'then']);
    expect(summaryOf(all)).toEqual({ ok: false, passed: 1, failed: 1, covered: 8, all: 14 });
  });
});
