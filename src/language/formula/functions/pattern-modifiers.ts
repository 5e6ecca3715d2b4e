import { withoutFreeSpacing } from '../../../platform/text/ruby-pattern.js';
import { compilePattern, MAX_PATTERN_CHARACTERS, type Pattern } from '../../patterns.js';
import { TemplateError } from '../../template-error.js';
import { isNothing, textOf } from '../../values/values.js';

/**
 * A pattern with Ruby's modifiers: `i` without regard to case, `m` where `.` matches line breaks, `x` where white
 * space and comments do not count.
 * @throws TemplateError for another modifier.
 */
export function patternFrom(pattern: unknown, modifiers: unknown): Pattern {
  const source = textOf(pattern);
  const given = isNothing(modifiers) ? '' : textOf(modifiers);
  if (!/^[imx]*$/.test(given)) {
    throw new TemplateError(`the modifiers are i, m and x; "${given.slice(0, 20)}" has others`);
  }
  const flags = [...new Set(given.replaceAll('x', ''))].join('');
  // What is too long is refused as it is.
  const isSpaced = given.includes('x') && source.length <= MAX_PATTERN_CHARACTERS;
  return compilePattern(
    (flags === '' ? '' : `(?${flags})`) + (isSpaced ? withoutFreeSpacing(source) : source),
  );
}
