import { compilePattern } from '../../patterns.js';
import { MAX_LIST_ELEMENTS } from '../../limits.js';
import { TemplateError } from '../../template.js';
import { isNothing, textOf } from '../../values.js';
import type { FunctionCall, FunctionTable } from './formula-function.js';

/** Patterns: Ruby's, on an engine whose time grows with the text only (no back references). */
export const patternFunctions: FunctionTable = {
  MATCH: {
    takes: 'text, pattern',
    gives: 'TRUE where the pattern matches anywhere in the text',
    example: ['MATCH("a@x.gov", ".*\\.gov")', true],
    run: ([text, pattern], { checkTime }) =>
      !isNothing(text) && compilePattern(textOf(pattern)).test(textOf(text), checkTime),
  },
  REGEX_REPLACE: {
    takes: 'text, pattern, replacement',
    gives: 'the text with every match replaced; `\\1`, `$1`, `\\k<name>` stand for groups',
    example: ['REGEX_REPLACE("a1b22", "(\\d+)", "<$1>")', 'a<1>b<22>'],
    run: ([text, pattern, replacement], { checkTime }) =>
      compilePattern(textOf(pattern)).replaceAll(textOf(text), textOf(replacement), checkTime),
  },
  REGEX_EXTRACT: {
    takes: 'text, pattern',
    gives: 'every match: its text, of a pattern with groups a list of their texts',
    example: ['REGEX_EXTRACT("10.0.0.1 and 10.0.0.2", "\\d+(?:\\.\\d+){3}")', ['10.0.0.1', '10.0.0.2']],
    run: ([text, pattern], call) =>
      matchesIn(text, pattern, call).map((match) => (match.groups.length === 0 ? match.text : match.groups)),
  },
  REGEX_FIND: {
    takes: 'text, pattern',
    gives: 'the first match: its text, of a pattern with groups the text of the first; NULL without a match',
    example: ['REGEX_FIND("id=42;", "id=(\\d+)")', '42'],
    run: ([text, pattern], { checkTime }) => {
      for (const match of compilePattern(textOf(pattern)).matches(textOf(text), checkTime)) {
        return match.groups.length === 0 ? match.text : match.groups[0];
      }
      return null;
    },
  },
  REGEX_GROUPS: {
    takes: 'text, pattern',
    gives: 'the named groups of the first match as an object; NULL without a match',
    example: ['REGEX_GROUPS("u=bob", "u=(?<user>\\w+)")', { user: 'bob' }],
    run: ([text, pattern], { checkTime }) => {
      const matches = compilePattern(textOf(pattern)).matches(textOf(text), checkTime);
      for (const match of matches) return match.named;
      return null;
    },
  },
  REGEX_SPLIT: {
    takes: 'text, pattern',
    gives: 'the parts of the text between the matches',
    example: ['REGEX_SPLIT("a, b;c", "[,;]\\s*")', ['a', 'b', 'c']],
    run: ([text, pattern], call) => {
      const given = textOf(text);
      const parts: string[] = [];
      let position = 0;
      for (const { text: found, start } of matchesIn(text, pattern, call)) {
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

function matchesIn(text: unknown, pattern: unknown, { step, checkTime }: FunctionCall) {
  const found = [];
  for (const match of compilePattern(textOf(pattern)).matches(textOf(text), checkTime)) {
    step();
    found.push(match);
    if (found.length > MAX_LIST_ELEMENTS) throw new TemplateError(`more than ${MAX_LIST_ELEMENTS} matches`);
  }
  return found;
}
