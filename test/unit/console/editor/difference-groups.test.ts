import type { StoryDifference } from '../../../../clients/typescript/api.js';
import {
  changedGuids,
  countOfChanges,
  differenceTexts,
  differenceWords,
  groupsOf,
  isLong,
  textOf,
} from '../../../../src/console/pages/editor/publish/difference-groups.js';

const difference = (given: Partial<StoryDifference>): StoryDifference => ({
  kind: 'option',
  change: 'changed',
  action: 'Ask',
  guid: 'a',
  path: 'options.url',
  before: 'x',
  after: 'y',
  ...given,
});
const link = (given: Partial<StoryDifference>) =>
  difference({ kind: 'link', action: null, path: null, before: null, change: 'added', ...given });

describe('the differences of a story', () => {
  it('stand by action, of which two may have one name; links are with the action that they leave', () => {
    const { groups } = groupsOf([
      difference({}),
      difference({ guid: 'b' }),
      difference({ path: 'name', kind: 'action', before: 'Question', after: 'Ask' }),
      link({ after: { source: 'Ask', receiver: 'Report', link_type: null } }),
      link({ guid: 'c', after: { source: 'Decide', receiver: 'Report', link_type: null } }),
      difference({ kind: 'setting', action: null, guid: null, path: 'tags' }),
      difference({ kind: 'setting', action: null, guid: null, path: 'description' }),
    ]);
    expect(groups.map(({ title, guid, differences }) => [title, guid, differences.length])).toEqual([
      ['Ask', 'a', 3],
      ['Ask', 'b', 1],
      ['Settings', null, 2],
      ['Decide', 'c', 1],
    ]);
  });

  it('fold away parts that were only moved, not those that changed otherwise too', () => {
    const move = { kind: 'action' as const, path: 'position' };
    const list = [
      difference(move),
      difference({ ...move, guid: 'b' }),
      difference({ guid: 'b' }),
      difference({ ...move, kind: 'note', action: null, guid: 'n' }),
    ];
    const { groups, moved } = groupsOf(list);
    expect(groups.map(({ guid }) => guid)).toEqual(['b']);
    expect(moved.map(({ title }) => title)).toEqual(['Ask', 'Note']);
    expect([...changedGuids(list)]).toEqual(['b']);
  });

  it('are counted without parts that were only moved', () => {
    expect(countOfChanges([difference({}), difference({ path: 'position' }), link({})])).toBe(2);
  });

  it.each([
    ['Link to Report, from no match: added', link({ after: { receiver: 'Report', link_type: 'secondary' } })],
    [
      'Link to Report, from failure: removed',
      link({
        change: 'removed',
        before: { receiver: 'Report', link_type: 'failure' },
        after: null,
      }),
    ],
    ['Renamed', difference({ kind: 'action', path: 'name' })],
    ['Moved', difference({ kind: 'action', path: 'position' })],
    ['Action removed', difference({ kind: 'action', path: null, change: 'removed' })],
    ['headers.Accept', difference({ path: 'options.headers.Accept' })],
    ['schedule[0].cron', difference({ kind: 'action', path: 'schedule[0].cron' })],
  ])('is told as “%s”', (words, given) => {
    expect(differenceWords(given)).toBe(words);
  });

  it('shows texts as they are and other values as JSON; a link and a place have none', () => {
    expect(differenceTexts(difference({ before: null, after: { a: 1 } }))).toEqual({
      before: '',
      after: '{\n  "a": 1\n}',
    });
    expect([differenceTexts(link({})), differenceTexts(difference({ path: 'position' }))]).toEqual([
      null,
      null,
    ]);
    expect(textOf('one\ntwo')).toBe('one\ntwo');
  });

  it('is compared by line if it has lines, or is long', () => {
    expect(isLong({ before: 'a', after: 'b' })).toBe(false);
    expect(isLong({ before: 'a\nb', after: 'b' })).toBe(true);
    expect(isLong({ before: 'a', after: 'b'.repeat(81) })).toBe(true);
  });
});
