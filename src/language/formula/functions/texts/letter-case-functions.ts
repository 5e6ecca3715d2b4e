import { replaceEach } from '../../../filters/lists/replace-each.js';
import { textOf } from '../../../values/values.js';
import type { FunctionBody, FunctionCall, FunctionTable } from '../formula-function.js';
import { MAX_LIST_ELEMENTS } from '../../../limits.js';
import { TemplateError } from '../../../../platform/text/template-error.js';

const snakeCase: FunctionBody = ([text], call) => wordsOf(textOf(text), call).join('_');

const camelCase: FunctionBody = ([text], call) => {
  const [first = '', ...others] = wordsOf(textOf(text), call);
  return first + others.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
};

/** Functions that change the letter case of words, and what stands between them. */
export const letterCaseFunctions: FunctionTable = {
  TITLECASE: {
    takes: 'text',
    gives: 'each word with its first letter in upper case, the others in lower case',
    example: ['TITLECASE("the last WORD")', 'The Last Word'],
    run: ([text], { checkTime }) =>
      replaceEach(textOf(text).toLowerCase(), /(?<![\p{L}\p{N}'’])\p{L}/gu, {
        by: (letter) => letter.toUpperCase(),
        checkTime,
      }),
  },
  TITLEIZE: {
    takes: 'text',
    gives:
      'the text as a title: words separated by `_`, `-` or capitals are split and capitalized; a final `_id` is removed',
    example: ['TITLEIZE("alertName of_host")', 'Alert Name Of Host'],
    run: ([text], call) => titleOf(textOf(text), call),
  },
  SNAKECASE: {
    takes: 'text',
    gives: 'its words in lower case with `_` between them',
    example: ['SNAKECASE("alertName is-New")', 'alert_name_is_new'],
    run: snakeCase,
  },
  TO_SNAKE_CASE: {
    takes: 'text',
    gives: 'the same as SNAKECASE',
    example: ['TO_SNAKE_CASE("Testing-1 2 3")', 'testing_1_2_3'],
    run: snakeCase,
  },
  KEBABCASE: {
    takes: 'text',
    gives: 'its words in lower case with `-` between them',
    example: ['KEBABCASE("alertName is_New")', 'alert-name-is-new'],
    run: ([text], call) => wordsOf(textOf(text), call).join('-'),
  },
  CAMELCASE: {
    takes: 'text',
    gives: 'its words joined, each but the first with a capital',
    example: ['CAMELCASE("alert name_is new")', 'alertNameIsNew'],
    run: camelCase,
  },
  CAMELIZE: {
    takes: 'text',
    gives: 'the same as CAMELCASE',
    example: ['CAMELIZE("foo bar")', 'fooBar'],
    run: camelCase,
  },
};

/** Returns what `titleize` of Rails gives: an acronym is a word (`HTMLPage` is `Html Page`). */
function titleOf(text: string, { checkTime }: FunctionCall): string {
  const divided = replaceEach(text, /\p{Lu}(?=\p{Lu}\p{Ll})|[\p{Ll}\p{N}](?=\p{Lu})|[-_]/gu, {
    by: (found) => (found === '-' || found === '_' ? ' ' : `${found} `),
    checkTime,
  });
  const plain = divided.toLowerCase().trimStart();
  return replaceEach(plain.endsWith(' id') ? plain.slice(0, -3) : plain, FIRST_LETTER, {
    by: (letter) => letter.toUpperCase(),
    checkTime,
  });
}

/** A letter behind an apostrophe of the same word is none: `today's`. */
const FIRST_LETTER = /(?<![\p{L}\p{N}_])(?<![\p{L}\p{N}_]['’`()])\p{Ll}/gu;

/**
 * Returns the runs of letters and digits in lower case; an upper-case letter after a lower-case one starts a new run.
 * @throws TemplateError for more than a list may have.
 */
function wordsOf(text: string, { checkTime }: FunctionCall): string[] {
  const separated = replaceEach(text, /([\p{Ll}\p{N}])(\p{Lu})/gu, {
    by: (_, small, capital) => `${small} ${capital}`,
    checkTime,
  });
  const words: string[] = [];
  for (const [word] of separated.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    words.push(word);
    if (words.length > MAX_LIST_ELEMENTS) {
      throw new TemplateError(`a text of more than ${MAX_LIST_ELEMENTS} words is too long`);
    }
  }
  return words;
}
