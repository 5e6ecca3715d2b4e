import { randomBelow, randomGuid } from '../../../platform/runtime/clock-and-random.js';
import { TemplateError } from '../../../platform/text/template-error.js';
import { textOf } from '../../values/values.js';
import { wholeFrom } from '../evaluation/numbers.js';
import type { FunctionTable } from './formula-function.js';
import { itemsFrom } from './values/selectors.js';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ALPHABETS: Record<string, string> = {
  alphanumeric: LETTERS + LETTERS.toUpperCase() + DIGITS,
  letters: LETTERS + LETTERS.toUpperCase(),
  lowercase: LETTERS,
  uppercase: LETTERS.toUpperCase(),
  numbers: DIGITS,
  hex: `${DIGITS}abcdef`,
};
const MAX_RANDOM_CHARACTERS = 10_000;
const LARGEST_SPAN = 2 ** 48 - 1;

/** Functions whose result differs each time: random values, and data of the story run. */
export const runFunctions: FunctionTable = {
  UUID: {
    takes: '',
    gives: 'a new random UUID',
    example: ['SIZE(UUID())', 36],
    run: () => randomGuid(),
  },
  RANDOM_STRING: {
    takes: 'length, characters?',
    gives:
      'random characters: `alphanumeric` (default), `letters`, `lowercase`, `uppercase`, `numbers`, `hex`, or the characters of any other text',
    example: ['MATCH(RANDOM_STRING(8, "numbers"), "\\A\\d{8}\\z")', true],
    run: ([length, characters]) => {
      const wanted = wholeFrom(length);
      if (wanted > MAX_RANDOM_CHARACTERS)
        throw new TemplateError(`at most ${MAX_RANDOM_CHARACTERS} characters`);
      const kind = textOf(characters ?? 'alphanumeric');
      const alphabet = Array.from(Object.hasOwn(ALPHABETS, kind) ? (ALPHABETS[kind] ?? '') : kind);
      if (alphabet.length === 0) throw new TemplateError('no characters to choose from');
      return Array.from({ length: Math.max(wanted, 0) }, () => alphabet[randomBelow(alphabet.length)]).join(
        '',
      );
    },
  },
  RANDOM_NUMBER: {
    takes: 'lowest, highest',
    gives: 'a random whole number, both limits included',
    example: ['RANDOM_NUMBER(5, 5)', 5],
    run: ([lowest, highest]) => {
      const [from, to] = [wholeFrom(lowest), wholeFrom(highest)];
      if (to < from || to - from >= LARGEST_SPAN)
        throw new TemplateError('the highest number is below the lowest, or the range is too large');
      return from + randomBelow(to - from + 1);
    },
  },
  SAMPLE: {
    takes: 'list',
    gives: 'a random element; NULL for an empty list',
    example: ['SAMPLE([7, 7])', 7],
    run: ([list]) => randomElement(list),
  },
  RANDOM_ELEMENT: {
    takes: 'list',
    gives: 'the same as SAMPLE',
    example: ['RANDOM_ELEMENT([7, 7])', 7],
    run: ([list]) => randomElement(list),
  },
  SHUFFLE: {
    takes: 'list',
    gives: 'the elements in random order',
    example: ['SORT(SHUFFLE([3, 1, 2]))', [1, 2, 3]],
    run: ([list]) => {
      const items = [...itemsFrom(list)];
      for (let index = items.length - 1; index > 0; index -= 1) {
        const other = randomBelow(index + 1);
        [items[index], items[other]] = [items[other], items[index]];
      }
      return items;
    },
  },
  STORY_RUN_GUID: {
    takes: '',
    gives: 'the guid of the run; stories only',
    example: ['TRY(STORY_RUN_GUID(), "no run")', 'no run'],
    run: (_, { host }) => host.storyRunGuid(),
  },
  PROMPT: {
    takes: 'name',
    gives:
      'the link of a prompt, which emits the event of this action again with `prompt.status`; stories only',
    example: ['TRY(PROMPT("yes"), "no prompts")', 'no prompts'],
    run: ([name], { host }) => host.promptLink(textOf(name)),
  },
};

function randomElement(list: unknown): unknown {
  const items = itemsFrom(list);
  return items.length === 0 ? null : items[randomBelow(items.length)];
}
