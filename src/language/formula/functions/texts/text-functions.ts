import { characterCount, sliceCharacters } from '../../../../platform/text/code-points.js';
import { countText } from '../../../../platform/text/find-text.js';
import { textFilters } from '../../../filters/text-filters.js';
import { MAX_OUTPUT_CHARACTERS } from '../../../limits.js';
import { TemplateError } from '../../../../platform/text/template-error.js';
import { textOf } from '../../../values/values.js';
import { wholeFrom } from '../../evaluation/numbers.js';
import type { FunctionBody, FunctionTable } from '../formula-function.js';
import { letterCaseFunctions } from './letter-case-functions.js';
import { viaFilter } from '../via-filter.js';

const MAX_ESTIMATED_CHARACTERS = 1_000_000;
const CHARACTERS_OF_TOKEN = 3.75;

/** Functions on text. Any other value is converted to text. */
export const textFunctions: FunctionTable = {
  TEXT: {
    takes: 'value',
    gives: 'the value as text: nothing for NULL, JSON for lists and objects',
    example: ['TEXT(12)', '12'],
    run: ([value]) => textOf(value),
  },
  UPCASE: {
    takes: 'text',
    gives: 'the text in upper case',
    example: ['UPCASE("abc")', 'ABC'],
    run: viaFilter(textFilters.upcase),
  },
  DOWNCASE: {
    takes: 'text',
    gives: 'the text in lower case',
    example: ['DOWNCASE("ABC")', 'abc'],
    run: viaFilter(textFilters.downcase),
  },
  CAPITALIZE: {
    takes: 'text',
    gives: 'the first letter in upper case, the others in lower case',
    example: ['CAPITALIZE("hELLO you")', 'Hello you'],
    run: viaFilter(textFilters.capitalize),
  },
  ...letterCaseFunctions,
  TRIM: {
    takes: 'text',
    gives: 'the text without white space at its ends',
    example: ['TRIM("  a b ")', 'a b'],
    run: viaFilter(textFilters.strip),
  },
  STRIP: {
    takes: 'text',
    gives: 'the same as TRIM',
    example: ['STRIP(" a ")', 'a'],
    run: viaFilter(textFilters.strip),
  },
  LSTRIP: {
    takes: 'text',
    gives: 'the text without white space at its start',
    example: ['LSTRIP(" a ")', 'a '],
    run: viaFilter(textFilters.lstrip),
  },
  RSTRIP: {
    takes: 'text',
    gives: 'the text without white space at its end',
    example: ['RSTRIP(" a ")', ' a'],
    run: viaFilter(textFilters.rstrip),
  },
  SQUISH: {
    takes: 'text',
    gives: 'the text trimmed, each run of white space inside one space',
    example: ['SQUISH("  a \\n b ")', 'a b'],
    run: viaFilter(textFilters.squish),
  },
  STRIP_NEWLINES: {
    takes: 'text',
    gives: 'the text without line breaks',
    example: ['STRIP_NEWLINES("a\\nb")', 'ab'],
    run: viaFilter(textFilters.strip_newlines),
  },
  APPEND: {
    takes: 'text, tail, more…',
    gives: 'the text with the others appended in order',
    example: ['APPEND("serial eq ", "X1", ";")', 'serial eq X1;'],
    run: ([text, ...tails]) => [text, ...tails].map(textOf).join(''),
  },
  PREPEND: {
    takes: 'text, head',
    gives: 'the text with the other prepended',
    example: ['PREPEND("b", "a")', 'ab'],
    run: viaFilter(textFilters.prepend),
  },
  REPLACE: {
    takes: 'text, search, replacement',
    gives: 'the text with every occurrence replaced',
    example: ['REPLACE("a b c", " ", "_")', 'a_b_c'],
    run: viaFilter(textFilters.replace),
  },
  REPLACE_FIRST: {
    takes: 'text, search, replacement',
    gives: 'the text with the first occurrence replaced',
    example: ['REPLACE_FIRST("aa", "a", "b")', 'ba'],
    run: viaFilter(textFilters.replace_first),
  },
  REPLACE_LAST: {
    takes: 'text, search, replacement',
    gives: 'the text with the last occurrence replaced',
    example: ['REPLACE_LAST("aa", "a", "b")', 'ab'],
    run: viaFilter(textFilters.replace_last),
  },
  REMOVE: {
    takes: 'text, search',
    gives: 'the text without any occurrence',
    example: ['REMOVE("5min", "min")', '5'],
    run: viaFilter(textFilters.remove),
  },
  REMOVE_FIRST: {
    takes: 'text, search',
    gives: 'the text without the first occurrence',
    example: ['REMOVE_FIRST("abab", "a")', 'bab'],
    run: viaFilter(textFilters.remove_first),
  },
  REMOVE_LAST: {
    takes: 'text, search',
    gives: 'the text without the last occurrence',
    example: ['REMOVE_LAST("abab", "a")', 'abb'],
    run: viaFilter(textFilters.remove_last),
  },
  SPLIT: {
    takes: 'text, separator',
    gives: 'the parts between the separators; trailing empty parts are removed',
    example: ['SPLIT("a,b,", ",")', ['a', 'b']],
    run: viaFilter(textFilters.split),
  },
  LINES: {
    takes: 'text',
    gives: 'the lines of the text',
    example: ['LINES("a\\nb")', ['a', 'b']],
    run: ([text], { charge }) => {
      // A line takes more memory than an element of a list.
      charge((countText(textOf(text), '\n') + countText(textOf(text), '\r')) * 4);
      const lines = textOf(text).split(/\r\n|\n|\r/);
      // A line break at the end ends the last line, it does not begin another.
      return lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
    },
  },
  TRUNCATE: {
    takes: 'text, length?, ending?',
    gives: 'the text cut to a number of characters (default 50), including the ending (`...`)',
    example: ['TRUNCATE("abcdefgh", 5)', 'ab...'],
    run: viaFilter(textFilters.truncate),
  },
  TRUNCATEWORDS: {
    takes: 'text, count?, ending?',
    gives: 'the text cut to a number of words (default 15), plus the ending',
    example: ['TRUNCATEWORDS("one two three", 2)', 'one two...'],
    run: viaFilter(textFilters.truncatewords),
  },
  LEFT: {
    takes: 'text, count?',
    gives: 'the first characters; one by default',
    example: ['LEFT("abc", 2)', 'ab'],
    run: ([text, count]) => sliceCharacters(textOf(text), 0, atLeastZero(count ?? 1)),
  },
  RIGHT: {
    takes: 'text, count?',
    gives: 'the last characters; one by default',
    example: ['RIGHT("abc", 2)', 'bc'],
    run: ([text, count]) => {
      const wanted = atLeastZero(count ?? 1);
      if (wanted === 0) return '';
      // Twice as many UTF-16 code units contain at least the wanted characters.
      const end = textOf(text).slice(-wanted * 2);
      return sliceCharacters(end, characterCount(end) - wanted);
    },
  },
  PAD_LEFT: {
    takes: 'text, length, filling?',
    gives: 'the text padded at its start (default: spaces)',
    example: ['PAD_LEFT(7, 3, "0")', '007'],
    run: padded((text, length, filling) => text.padStart(length, filling)),
  },
  PAD_RIGHT: {
    takes: 'text, length, filling?',
    gives: 'the text padded at its end (default: spaces)',
    example: ['PAD_RIGHT("a", 3, ".")', 'a..'],
    run: padded((text, length, filling) => text.padEnd(length, filling)),
  },
  REPEAT: {
    takes: 'text, count',
    gives: 'the text repeated',
    example: ['REPEAT("ab", 3)', 'ababab'],
    run: ([text, count]) => {
      const [given, times] = [textOf(text), atLeastZero(count)];
      refuseLength(given.length * times);
      return given.repeat(given === '' ? 0 : times);
    },
  },
  STARTS_WITH: {
    takes: 'text, start',
    gives: 'TRUE if the text starts with it',
    example: ['STARTS_WITH("https://x", "https://")', true],
    run: ([text, start]) => textOf(text).startsWith(textOf(start)),
  },
  ENDS_WITH: {
    takes: 'text, end',
    gives: 'TRUE if the text ends with it',
    example: ['ENDS_WITH("a.exe", ".exe")', true],
    run: ([text, end]) => textOf(text).endsWith(textOf(end)),
  },
  NUMBER_OF_WORDS: {
    takes: 'text',
    gives: 'the number of words',
    example: ['NUMBER_OF_WORDS("one two")', 2],
    run: viaFilter(textFilters.number_of_words),
  },
  ESTIMATED_TOKEN_COUNT: {
    takes: 'value',
    gives: 'the approximate number of language model tokens of the value as text: one per 3.75 characters',
    example: ['ESTIMATED_TOKEN_COUNT("Hello! Nice to see you")', 6],
    run: ([value]) => estimatedTokens(textOf(value)),
  },
  SLUGIFY: {
    takes: 'text',
    gives: 'letters and digits in lower case with `-` between them',
    example: ['SLUGIFY("Hello, World!")', 'hello-world'],
    run: viaFilter(textFilters.slugify),
  },
  COUNT_OF: {
    takes: 'text, search',
    gives: 'the number of occurrences of the other text, without overlaps',
    example: ['COUNT_OF("banana", "an")', 2],
    run: ([text, search]) => (textOf(search) === '' ? 0 : countText(textOf(text), textOf(search))),
  },
};

function estimatedTokens(text: string): number {
  if (text.length > MAX_ESTIMATED_CHARACTERS)
    throw new TemplateError(`at most ${MAX_ESTIMATED_CHARACTERS} characters are estimated`);
  return Math.ceil(text.length / CHARACTERS_OF_TOKEN);
}

function atLeastZero(value: unknown): number {
  return Math.max(wholeFrom(value), 0);
}

function refuseLength(length: number): void {
  if (length > MAX_OUTPUT_CHARACTERS) throw new TemplateError(`a text of ${length} characters is too long`);
}

function padded(pad: (text: string, length: number, filling: string) => string): FunctionBody {
  return ([text, length, filling]) => {
    refuseLength(wholeFrom(length));
    return pad(textOf(text), wholeFrom(length), filling === undefined ? ' ' : textOf(filling));
  };
}
