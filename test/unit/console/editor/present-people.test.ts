import {
  arrivalWords,
  chosenByOthers,
  initialsOf,
  presenceWords,
} from '../../../../src/console/pages/editor/presence/present-people.js';

const ask = 'c0ffee00c0ffee00c0ffee00c0ffee00';
const person = (name: string, draft_id: number | null = null, action_guid: string | null = null) => ({
  name,
  draft_id,
  action_guid,
});
const here = (draftId?: number) => ({
  draftId,
  nameOf: (guid: string) => (guid === ask ? 'Ask' : undefined),
  draftNameOf: (id: number) => (id === 7 ? 'Tidy up' : undefined),
});

test.each([
  ['Ana', 'A'],
  ['Ana Maria Flores', 'AF'],
  ['ana.flores', 'AF'],
  ['  ', ''],
  ['éva 😀x', 'É😀'],
])('the initials of %s are %s', (name, initials) => expect(initialsOf(name)).toBe(initials));

test('words say where somebody is, and what is chosen there', () => {
  expect(presenceWords(person('Ana'), here())).toBe('is here');
  expect(presenceWords(person('Ana', null, ask), here())).toBe('is here, editing Ask');
  expect(presenceWords(person('Ana', 7, ask), here(7))).toBe('is here, editing Ask');
  expect(presenceWords(person('Ana', null, 'of a newer version'), here())).toBe('is here');
  expect(presenceWords(person('Ana', null, ask), here(7))).toBe('is in the live story, editing Ask');
  expect(presenceWords(person('Ana', 7), here())).toBe('is in the draft Tidy up');
  expect(presenceWords(person('Ana', 9), here(7))).toBe('is in another draft');
});

test('actions are marked that others have chosen in what is open here', () => {
  const people = [person('Ana', null, ask), person('Ben', null, ask), person('Eva', 7, 'x'), person('Al')];
  expect(chosenByOthers(people, undefined)).toEqual(new Map([[ask, 'Ana, Ben']]));
  expect(chosenByOthers(people, 7)).toEqual(new Map([['x', 'Eva']]));
});

test('who comes and who leaves is told once', () => {
  expect(arrivalWords([], [person('Ana')])).toBe('Ana is here.');
  expect(arrivalWords([person('Ana')], [person('Ana', 7, ask)])).toBeUndefined();
  expect(arrivalWords([person('Ana')], [person('Ben')])).toBe('Ben is here. Ana has left.');
});
