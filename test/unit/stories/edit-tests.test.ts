import type { JsonObject, JsonValue } from '../../../src/platform/json.js';
import { Unprocessable } from '../../../src/platform/errors.js';
import { diffStories } from '../../../src/stories/diff/story-diff.js';
import { mergeStory } from '../../../src/stories/merge/merge-story.js';
import { withoutTest, withRenamedActions, withTest } from '../../../src/stories/tests/edit-tests.js';
import { storyOf } from '../../support/merge-stories.js';

const test_ = (name: string, more: JsonObject = {}): JsonObject & { name: string } => ({
  name,
  expect: { events: { A: [1] } },
  ...more,
});
const having = (...tests: JsonValue[]) => ({ pages: [], fabula_tests: tests });

describe('stories as software: tests in the keys of a story', () => {
  it('are added, replaced and removed by name, and the key goes with the last one', () => {
    const first = withTest({ pages: [] }, { test: test_('a') });
    expect(first).toEqual({ extra: having(test_('a')), isNew: true });
    const second = withTest(first.extra, { test: test_('a', { description: 'x' }) });
    expect(second).toEqual({ extra: having(test_('a', { description: 'x' })), isNew: false });
    expect(withoutTest(second.extra, 'a')).toEqual({ pages: [] });
    expect(() => withTest(first.extra, { test: test_('a'), isOnlyNew: true })).toThrow(Unprocessable);
  });

  it('are at most 100', () => {
    const many = having(...Array.from({ length: 100 }, (_, index) => test_(`t${index}`)));
    expect(() => withTest(many, { test: test_('one more') })).toThrow(Unprocessable);
    expect(withTest(many, { test: test_('t5') }).isNew).toBe(false);
  });

  it('name an action as it is called now, wherever they name it', () => {
    const before = having(
      test_('a', {
        action: 'A',
        answers: [{ action: 'A', url: '*' }, { url: '*' }],
        expect: { events: { A: [1], B: [] }, requests: { A: [] }, nothing_else: true },
      }),
    );
    expect(withRenamedActions(before, [{ from: 'A', to: 'Z' }], ['B'])).toEqual(
      having(
        test_('a', {
          action: 'Z',
          answers: [{ action: 'Z', url: '*' }, { url: '*' }],
          expect: { events: { Z: [1], B: [] }, requests: { Z: [] }, nothing_else: true },
        }),
      ),
    );
  });

  it('keep a name that another action has too, and lists that would fall together', () => {
    const before = having(test_('a', { expect: { events: { A: [1], Z: [2] } } }));
    expect(withRenamedActions(before, [{ from: 'A', to: 'Y' }], ['Z', 'A'])).toBe(before);
    expect(withRenamedActions(before, [{ from: 'A', to: 'Z' }], ['Z'])).toBe(before);
  });

  it('swap names with their actions', () => {
    const before = having(test_('a', { expect: { events: { A: [1], B: [] } } }));
    const both = [
      { from: 'A', to: 'B' },
      { from: 'B', to: 'A' },
    ];
    const after = having(test_('a', { expect: { events: { B: [1], A: [] } } }));
    expect(withRenamedActions(before, both, [])).toEqual(after);
  });
});

const of = (name: string, ...tests: JsonValue[]) =>
  storyOf({ actions: { a: { name }, b: { name: 'B' } }, settings: { fabula_tests: tests } });

describe('stories as software: a merge of a rename with tests', () => {
  const naming = (action: string) => test_('of it', { action, expect: { events: { [action]: [1], B: [] } } });
  const old = test_('old', { expect: { events: { S: [] } } });
  const renamed = test_('old', { expect: { events: { R: [] } } });
  const testsOf = (live: Parameters<typeof of>, draft: Parameters<typeof of>) => {
    const { story, conflicts } = mergeStory({ base: of('S', old), live: of(...live), draft: of(...draft) });
    expect(conflicts).toEqual([]);
    return story.extra.fabula_tests;
  };

  it('names the action in a test that the other side adds as it is called then', () => {
    expect(testsOf(['R', renamed], ['S', old, naming('S')])).toEqual([renamed, naming('R')]);
    expect(testsOf(['S', old, naming('S')], ['R', renamed])).toEqual([renamed, naming('R')]);
  });

  it('follows a rename in a file whose tests were left as they were', () => {
    expect(testsOf(['S', old, naming('S')], ['R', old])).toEqual([renamed, naming('R')]);
  });

  it('leaves tests of another action that has got the name', () => {
    const other = storyOf({
      actions: { a: { name: 'R' }, b: { name: 'B' }, c: { name: 'S' } },
      settings: { fabula_tests: [old] },
    });
    const { story } = mergeStory({ base: of('S', old), live: of('S', old), draft: other });
    expect(story.extra.fabula_tests).toEqual([old]);
  });
});

const exported = (...tests: JsonValue[]) => ({ agents: [], links: [], fabula_tests: tests });
const state = (...tests: JsonValue[]) =>
  storyOf({ actions: {}, settings: tests.length === 0 ? {} : { fabula_tests: tests } });

const merged = (base: JsonValue[], live: JsonValue[], draft: JsonValue[]) => {
  const { story, conflicts } = mergeStory({
    base: state(...base),
    live: state(...live),
    draft: state(...draft),
  });
  return { tests: story.extra.fabula_tests, conflicts };
};

describe('stories as software: differences and merges', () => {
  it('name added, removed and changed tests', () => {
    const before = exported(test_('stays'), test_('Goes away'), test_('Changes'));
    const after = exported(
      test_('Changes', { expect: { events: { A: [2] } } }),
      test_('stays'),
      test_('Comes'),
    );
    expect(diffStories(before, after)).toEqual([
      {
        kind: 'test',
        change: 'changed',
        action: null,
        guid: null,
        path: 'Changes.expect.events.A[0]',
        before: 1,
        after: 2,
      },
      {
        kind: 'test',
        change: 'added',
        action: null,
        guid: null,
        path: 'Comes',
        before: null,
        after: test_('Comes'),
      },
      {
        kind: 'test',
        change: 'removed',
        action: null,
        guid: null,
        path: '["Goes away"]',
        before: test_('Goes away'),
        after: null,
      },
    ]);
  });

  it('have the tests of both sides', () => {
    const { tests, conflicts } = merged(
      [test_('a')],
      [test_('a'), test_('mine')],
      [test_('yours'), test_('a')],
    );
    expect([tests, conflicts]).toEqual([[test_('yours'), test_('a'), test_('mine')], []]);
    expect(merged([], [test_('mine')], [test_('yours')])).toEqual({
      tests: [test_('yours'), test_('mine')],
      conflicts: [],
    });
  });

  it('have the changes of both sides in one test, and a conflict for one value', () => {
    const [live, draft] = [test_('a', { description: 'x' }), test_('a', { expect: { events: { A: [2] } } })];
    const { tests, conflicts } = merged([test_('a'), test_('b')], [live], [draft, test_('b')]);
    expect([tests, conflicts]).toEqual([[{ ...draft, description: 'x' }], []]);
    const other = merged([test_('a')], [test_('a', { at: '1' })], [test_('a', { at: '2' })]);
    expect(other.conflicts).toMatchObject([{ kind: 'test', path: 'a.at', live: '1', draft: '2' }]);
    const gone = merged([test_('a'), test_('b')], [test_('b')], [draft, test_('b', { at: '1' })]);
    expect(gone.conflicts).toMatchObject([{ kind: 'test', path: 'a', live: null }]);
  });

  it('have none where both sides removed the last ones', () => {
    expect(merged([test_('a'), test_('b')], [test_('a')], [test_('b')])).toMatchObject({
      tests: [],
      conflicts: [],
    });
    expect(merged([test_('a')], [], [])).toEqual({ tests: undefined, conflicts: [] });
  });
});
