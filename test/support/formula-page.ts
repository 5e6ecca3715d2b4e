import path from 'node:path';
import { FUNCTIONS } from '../../src/language/formula/functions/all-functions.js';
import type { FormulaFunction } from '../../src/language/formula/functions/formula-function.js';

export const FORMULA_PAGE = path.resolve(__dirname, '../../docs/build/formulas.md');

const START = '<!-- functions: written by `npm run docs:formulas` -->';
const END = '<!-- end of functions -->';

/** The page with its function reference made anew from the table of functions. */
export function withReference(page: string): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start === -1 || end < start) throw new Error('the page has no place for the functions');
  return `${page.slice(0, start + START.length)}\n\n${reference()}\n\n${page.slice(end)}`;
}

function reference(): string {
  const families = new Map<string, FormulaFunction[]>();
  for (const entry of FUNCTIONS) families.set(entry.family, [...(families.get(entry.family) ?? []), entry]);
  return [...families].map(([family, entries]) => section(family, entries)).join('\n\n');
}

function section(family: string, entries: FormulaFunction[]): string {
  const rows = entries.map(({ name, takes, gives, example: [formula, result] }) =>
    [code(`${name}(${takes})`), cell(gives), `${code(formula)} → ${code(JSON.stringify(result))}`].join(
      ' | ',
    ),
  );
  return [
    `### ${family}`,
    '',
    '| Function | Gives | Example |',
    '|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

/** A bar would end the cell, also inside of code. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${cell(text)}${fence}`;
}
