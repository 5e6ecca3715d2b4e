import { isWhole, type Sharing, sharingChange } from '../../../src/console/pages/resources/sharing-change.js';

const some = (...slugs: string[]): Sharing => ({ access: 'SPECIFIC_TEAMS', slugs });
const before = { read_access: 'SPECIFIC_TEAMS' as const, shared_team_slugs: ['red', 'blue'] };

describe('the sharing of a thing', () => {
  test.each<[string, Sharing, object]>([
    ['stays as it is in any order', some('blue', 'red'), {}],
    ['gets a team', some('red', 'blue', 'green'), { ...before, shared_team_slugs: ['red', 'blue', 'green'] }],
    ['loses a team', some('red'), { ...before, shared_team_slugs: ['red'] }],
    [
      'has another team in place of one',
      some('red', 'green'),
      { ...before, shared_team_slugs: ['red', 'green'] },
    ],
    ['ends', { access: 'TEAM', slugs: ['red', 'blue'] }, { read_access: 'TEAM' }],
    ['is with all teams', { access: 'GLOBAL', slugs: ['red'] }, { read_access: 'GLOBAL' }],
  ])('%s', (_what, now, change) => expect(sharingChange(before, now)).toEqual(change));

  test('begins with the chosen teams, and nothing is sent for one that is not shared', () => {
    const own = { read_access: 'TEAM' as const, shared_team_slugs: [] };
    expect(sharingChange(own, some('red'))).toEqual({ ...before, shared_team_slugs: ['red'] });
    expect(sharingChange(own, { access: 'TEAM', slugs: ['red'] })).toEqual({});
  });

  test('with some teams needs one', () => {
    const all: Sharing[] = [some(), some('red'), { access: 'TEAM', slugs: [] }];
    expect(all.map(isWhole)).toEqual([false, true, true]);
  });
});
