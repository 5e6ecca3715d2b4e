import { replaceEach } from '../../../filters/lists/replace-each.js';
import { MAX_LIST_ELEMENTS } from '../../../limits.js';
import { TemplateError } from '../../../../platform/text/template-error.js';
import type { FunctionCall } from '../formula-function.js';

/**
 * Returns the runs of letters and digits in lower case; an upper-case letter after a lower-case one starts a new run.
 * @throws TemplateError for more than a list may have.
 */
export function wordsOf(text: string, { checkTime }: FunctionCall): string[] {
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
