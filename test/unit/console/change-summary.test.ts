import type { StoryDifference } from '../../../clients/typescript/api.js';
import { changeSummary } from '../../../src/console/pages/editor/publish/versions/change-summary.js';

const difference = (given: Partial<StoryDifference>): StoryDifference => ({
  kind: 'action',
  change: 'changed',
  action: 'Ask',
  guid: 'a1',
  path: null,
  before: null,
  after: null,
  ...given,
});

describe('what a version changed, in words', () => {
  it('counts actions, links, notes and settings by what was done to them', () => {
    expect(
      changeSummary([
        difference({ guid: 'a1', change: 'added' }),
        difference({ guid: 'a2', change: 'removed' }),
        difference({ kind: 'link', guid: 'a1', change: 'added' }),
        difference({ kind: 'link', guid: 'a1', change: 'added' }),
        difference({ kind: 'link', guid: 'a2', change: 'removed' }),
        difference({ kind: 'note', guid: 'n1', change: 'added' }),
        difference({ kind: 'setting', guid: null, path: 'tags[0]', change: 'added' }),
        difference({ kind: 'setting', guid: null, path: 'tags[1]', change: 'added' }),
        difference({ kind: 'setting', guid: null, path: 'runbook' }),
      ]),
    ).toBe(
      '1 action added, 1 action removed, 2 links added, 1 link removed, 1 note added, 1 setting added, 1 setting changed',
    );
  });

  it('counts an action once, however many of its options differ, and as moved only if nothing else is', () => {
    expect(
      changeSummary([
        difference({ kind: 'option', path: 'options.url' }),
        difference({ kind: 'option', path: 'options.headers.Accept', change: 'added' }),
        difference({ path: 'name' }),
        difference({ path: 'position' }),
        difference({ guid: 'a2', path: 'position' }),
      ]),
    ).toBe('1 action changed, 1 action moved');
  });

  it('counts tests by their names', () => {
    const test = { kind: 'test', guid: null, action: null } as const;
    expect(
      changeSummary([
        difference({ ...test, path: '["Low is noted"]', change: 'added' }),
        difference({ ...test, path: '["High pages"].expect.events.A[0]' }),
        difference({ ...test, path: '["High pages"].at', change: 'added' }),
        difference({ ...test, path: 'old', change: 'removed' }),
      ]),
    ).toBe('1 test added, 1 test changed, 1 test removed');
  });

  it('is empty without differences', () => {
    expect(changeSummary([])).toBe('');
  });
});
