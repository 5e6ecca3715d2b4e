import { compilePattern, type Pattern } from '../../../patterns.js';
import { MAX_LIST_ELEMENTS } from '../../../limits.js';
import { TemplateError } from '../../../../platform/text/template-error.js';
import { isNothing, textOf } from '../../../values/values.js';
import type { FunctionCall, FunctionTable } from '../formula-function.js';

/** Functions on patterns in Ruby's syntax; modifiers: `i`, `m`, `x`. */
export const patternFunctions: FunctionTable = {
  MATCH: {
    takes: 'text, pattern, modifiers?',
    gives:
      'TRUE if the pattern matches anywhere in the text; modifiers: `i` (case-insensitive), `m` (`.` matches line breaks), `x` (free spacing)',
    example: ['MATCH("a@x.GOV", ".*\\.gov", "i")', true],
    run: ([text, pattern, modifiers], { checkTime }) =>
      !isNothing(text) && patternFrom(pattern, modifiers).test(textOf(text), checkTime),
  },
  REGEX_REPLACE: {
    takes: 'text, pattern, replacement, modifiers?',
    gives:
      'the text with every match replaced; `\\1`, `\\k<name>` refer to groups, `\\0` to the match; `$` is plain text',
    example: ['REGEX_REPLACE("a1b22", "(\\d+)", "<\\1>")', 'a<1>b<22>'],
    run: ([text, pattern, replacement, modifiers], { checkTime }) =>
      patternFrom(pattern, modifiers).replaceAll(textOf(text), textOf(replacement), checkTime),
  },
  REGEX_EXTRACT: {
    takes: 'text, pattern, modifiers?',
    gives: 'every match: its text, or a list of its groups if the pattern has groups',
    example: ['REGEX_EXTRACT("10.0.0.1 and 10.0.0.2", "\\d+(?:\\.\\d+){3}")', ['10.0.0.1', '10.0.0.2']],
    run: ([text, pattern, modifiers], call) =>
      matchesIn(text, patternFrom(pattern, modifiers), call).map((match) =>
        match.groups.length === 0 ? match.text : match.groups,
      ),
  },
  REGEX_FIND: {
    takes: 'text, pattern, modifiers?',
    gives: 'the first match: its text, or its first group if the pattern has groups; NULL without a match',
    example: ['REGEX_FIND("id=42;", "id=(\\d+)")', '42'],
    run: ([text, pattern, modifiers], { checkTime }) => {
      for (const match of patternFrom(pattern, modifiers).matches(textOf(text), checkTime)) {
        return match.groups.length === 0 ? match.text : match.groups[0];
      }
      return null;
    },
  },
  REGEX_GROUPS: {
    takes: 'text, pattern, modifiers?',
    gives: 'the named groups of the first match as an object; NULL without a match',
    example: ['REGEX_GROUPS("u=bob", "u=(?<user>\\w+)")', { user: 'bob' }],
    run: ([text, pattern, modifiers], { checkTime }) => {
      const matches = patternFrom(pattern, modifiers).matches(textOf(text), checkTime);
      for (const match of matches) return match.named;
      return null;
    },
  },
  REGEX_SPLIT: {
    takes: 'text, pattern, modifiers?',
    gives: 'the parts of the text between the matches',
    example: ['REGEX_SPLIT("a, b;c", "[,;]\\s*")', ['a', 'b', 'c']],
    run: ([text, pattern, modifiers], call) => {
      const given = textOf(text);
      const parts: string[] = [];
      let position = 0;
      for (const { text: found, start } of matchesIn(text, patternFrom(pattern, modifiers), call)) {
        if (found === '') continue;
        parts.push(given.slice(position, start));
        position = start + found.length;
      }
      return [...parts, given.slice(position)];
    },
  },
  REGEX_ESCAPE: {
    takes: 'text',
    gives: 'a pattern that matches exactly the text',
    example: ['MATCH("axb", REGEX_ESCAPE("a.b"))', false],
    run: ([text]) => textOf(text).replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'),
  },
};

function matchesIn(text: unknown, pattern: Pattern, { step, checkTime }: FunctionCall) {
  const found = [];
  for (const match of pattern.matches(textOf(text), checkTime)) {
    step();
    found.push(match);
    if (found.length > MAX_LIST_ELEMENTS) throw new TemplateError(`more than ${MAX_LIST_ELEMENTS} matches`);
  }
  return found;
}

/**
 * Compiles a pattern with Ruby's modifiers: `i` ignores case, with `m` the `.` matches line breaks, `x` ignores white
 * space and comments in the pattern.
 * @throws TemplateError for another modifier.
 */
export function patternFrom(pattern: unknown, modifiers: unknown): Pattern {
  const given = isNothing(modifiers) ? '' : textOf(modifiers);
  if (!/^[imx]*$/.test(given)) {
    throw new TemplateError(`the modifiers are i, m and x, not "${given.slice(0, 20)}"`);
  }
  return compilePattern(textOf(pattern), { modifiers: [...new Set(given)].toSorted().join('') });
}
