import {
  conflictWords,
  DRAFT_SIDES,
  FILE_SIDES,
  PROMOTION_SIDES,
} from '../../../src/stories/merge/conflict-words.js';

const conflict = (because?: string) => ({
  kind: 'option' as const,
  action: 'Mark',
  guid: null,
  path: 'options.by',
  entry: 'x',
  base: 'a',
  live: 'b',
  draft: null,
  ...(because !== undefined && { because }),
});
const textOf = (because: string | undefined, sides = FILE_SIDES) =>
  conflictWords(conflict(because), sides).text.split('; ').at(-1);

describe('stories as software: the words of conflicts', () => {
  it('name the sides as the reader knows them', () => {
    expect(conflictWords(conflict(), FILE_SIDES)).toEqual({
      place: '"Mark", options.by',
      text: 'was "a"; the server has "b", the files have null',
    });
    expect(conflictWords(conflict(), DRAFT_SIDES).text).toBe(
      'the draft was created with "a"; the live story has "b", the draft has null',
    );
    expect(
      conflictWords(conflict('it refers to "the draft", which the draft has removed'), PROMOTION_SIDES).text,
    ).toBe(
      'it came with "a"; the story here has "b", the bundle has null; it refers to "the draft", which the bundle has removed',
    );
  });

  it('do not tell of a state before that nobody knows', () => {
    expect(conflictWords({ ...conflict(), base: null }, PROMOTION_SIDES).text).toBe(
      'the story here has "b", the bundle has null',
    );
  });

  it.each([
    [
      'the draft has removed an action that this link needs',
      'the files have removed an action that this link needs',
    ],
    [
      'it refers to "the draft has", which the live story has removed',
      'it refers to "the draft has", which the server has removed',
    ],
    [
      'another action of the live story now has the name "the draft"',
      'another action of the server now has the name "the draft"',
    ],
  ])('tell the reason "%s"', (because, told) => {
    expect(textOf(because)).toBe(told);
    expect(textOf(because, DRAFT_SIDES)).toBe(because);
  });
});
