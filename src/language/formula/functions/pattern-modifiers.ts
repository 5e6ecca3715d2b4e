import { withoutFreeSpacing } from '../../../platform/text/ruby-pattern.js';
import { compilePattern, MAX_PATTERN_CHARACTERS, type Pattern } from '../../patterns.js';
import { TemplateError } from '../../template-error.js';
import { isNothing, textOf } from '../../values/values.js';

/**
 * Compiles a pattern with Ruby's modifiers: `i` ignores case, with `m` the `.` matches line breaks, `x` ignores white
 * space and comments in the pattern.
 * @throws TemplateError for another modifier.
 */
export function patternFrom(pattern: unknown, modifiers: unknown): Pattern {
  const source = textOf(pattern);
  const given = isNothing(modifiers) ? '' : textOf(modifiers);
  if (!/^[imx]*$/.test(given)) {
    throw new TemplateError(`the modifiers are i, m and x; "${given.slice(0, 20)}" has others`);
  }
  const flags = [...new Set(given.replaceAll('x', ''))].join('');
  // A pattern that is too long stays unchanged and is refused below.
  const isSpaced = given.includes('x') && source.length <= MAX_PATTERN_CHARACTERS;
  return compilePattern(
    (flags === '' ? '' : `(?${flags})`) + (isSpaced ? withoutFreeSpacing(source) : source),
  );
}
