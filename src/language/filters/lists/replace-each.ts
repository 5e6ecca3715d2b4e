import { MAX_OUTPUT_CHARACTERS } from '../../limits.js';
import { TemplateError } from '../../../platform/text/template-error.js';

const PARTS_BETWEEN_CHECKS = 1_024;

interface Replacing {
  /** Returns the replacement of a match; receives the match and its groups. */
  by: (match: string, ...groups: string[]) => string;
  checkTime: () => void;
}

/**
 * `text.replace(pattern, by)` for texts with possibly millions of matches: checks the time limit meanwhile, and stops as
 * soon as the result is too long. The built-in function finds all matches first.
 * @param pattern global; never matches the empty text.
 * @throws TemplateError
 */
export function replaceEach(text: string, pattern: RegExp, { by, checkTime }: Replacing): string {
  const parts: string[] = [];
  let position = 0;
  let length = text.length;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [found, ...groups] = match;
    const replacement = by(found, ...groups);
    parts.push(text.slice(position, match.index), replacement);
    position = pattern.lastIndex;
    length += replacement.length - found.length;
    if (length > MAX_OUTPUT_CHARACTERS) {
      throw new TemplateError(`the result is longer than ${MAX_OUTPUT_CHARACTERS} characters`);
    }
    if (parts.length % PARTS_BETWEEN_CHECKS === 0) checkTime();
  }
  return parts.join('') + text.slice(position);
}
