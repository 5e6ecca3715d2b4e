import { render, screen } from '@testing-library/react';
import type { StoryDifference } from '../../../../clients/typescript/api.js';
import { differenceWords } from '../../../../src/console/pages/editor/publish/difference-groups.js';
import { DifferenceList } from '../../../../src/console/pages/editor/publish/difference-list.js';
import { LostTests } from '../../../../src/console/pages/editor/publish/lost-tests.js';
import { differencesText } from '../../../../src/stories/files/difference-text.js';

const of = (change: StoryDifference['change'], path: string): StoryDifference => ({
  kind: 'test',
  change,
  action: null,
  guid: null,
  path,
  before: change === 'added' ? null : { name: 'x' },
  after: change === 'removed' ? null : { name: 'y' },
});

const ALL = [
  of('removed', '["High opens a ticket"]'),
  of('removed', 'Low'),
  of('added', 'New'),
  of('removed', '["Kept, in part"].expect.mails'),
  of('changed', '["Kept, in part"].event'),
  { ...of('removed', 'runbook'), kind: 'setting' as const },
];

describe('stories as software: tests that a draft takes away', () => {
  it('are named where a draft is compared, apart from those that it changes', () => {
    render(<LostTests removed={['High opens a ticket', 'Low']} changed={['Kept, in part']} />);
    expect(screen.getByText(/2 tests removed:/).textContent).toBe(
      '2 tests removed: High opens a ticket, Low',
    );
    expect(screen.getByText(/1 test changed:/).textContent).toBe('1 test changed: Kept, in part');
  });

  it('are a number beyond the first ten', () => {
    render(<LostTests removed={Array.from({ length: 500 }, (_, at) => `T${at}`)} />);
    expect(screen.getByText(/500 tests removed:/).textContent).toMatch(
      /^500 tests removed: T0, .*, T9 and 490 more$/,
    );
  });

  it('are not told of where none is', () => {
    const { container } = render(<LostTests removed={[]} changed={[]} />);
    expect(container.textContent).toBe('');
  });

  it('stand in lists of differences with what happened to them', () => {
    expect(ALL.slice(0, 4).map((each) => differenceWords(each))).toEqual([
      'High opens a ticket: removed',
      'Low: removed',
      'New: added',
      '["Kept, in part"].expect.mails',
    ]);
  });

  it('are folded in a list: each has all of its text', () => {
    render(<DifferenceList differences={ALL.slice(0, 4)} nothing="" />);
    expect(screen.getAllByText('Show it')).toHaveLength(3);
  });

  it('stand in the differences of files', () => {
    const removed = { ...of('removed', '["High opens a ticket"]'), before: { name: 'x' }, after: null };
    expect(differencesText([removed])).toEqual(['  - test ["High opens a ticket"]: {"name":"x"}']);
  });
});
