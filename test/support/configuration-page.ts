import path from 'node:path';
import { fileNamesOf } from '../../src/config/secret-files.js';
import { type Facts, type Variable, variablesIn } from '../../src/config/variable.js';
import { VARIABLES } from '../../src/config/variables.js';

const CHECKOUT = path.resolve(__dirname, '../..');
export const CONFIGURATION_PAGE = path.join(CHECKOUT, 'docs/operate/configuration.md');
export const ENVIRONMENT_EXAMPLE = path.join(CHECKOUT, '.env.example');

const START = '<!-- variables: written by `npm run docs:configuration` -->';
const END = '<!-- end of variables -->';
const HEAD = `# Every variable that Fabula reads, each with its default; docs/operate/configuration.md says more.
# Written by \`npm run docs:configuration\` from src/config/variables: change it there.
#
# Nothing reads a file named .env by itself. Copy this file to .env, remove the # before what you set, and run:
#   node --env-file=.env bin/start.mjs         everything, as npm start does
#   node --env-file=.env dist/web.js    one process of the Procfile, after npm run build
# The launch configurations in .vscode, Docker (--env-file) and systemd (EnvironmentFile=) read such a file too. Variables of the environment win over it.
`;

type AnyVariable = Variable<unknown>;

/** The page with its tables written anew from the table of variables. */
export function withVariables(page: string): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start === -1 || end < start) throw new Error('the page has no place for the variables');
  return `${page.slice(0, start + START.length)}\n\n${groups().map(section).join('\n\n')}\n\n${page.slice(end)}`;
}

/** The text of `.env.example`. */
export function environmentExample(): string {
  const sections = groups().map(
    ([title, variables]) => `\n# ---- ${title} ----\n\n${variables.map(exampleOf).join('\n\n')}\n`,
  );
  return HEAD + sections.join('');
}

function groups(): [string, AnyVariable[]][] {
  const byTitle = new Map<string, AnyVariable[]>();
  for (const variable of variablesIn(VARIABLES)) {
    byTitle.set(variable.group, [...(byTitle.get(variable.group) ?? []), variable]);
  }
  return [...byTitle];
}

function section([title, variables]: [string, AnyVariable[]]): string {
  const rows = variables.map((variable) => {
    const { name, type, facts } = variable;
    const star = facts.setByStart ? ' *' : '';
    return [`\`${name}\`${star}`, defaultOf(facts), valueOf(type.form, facts), meaningOf(variable)];
  });
  const lines = [['Variable', 'Default', 'Value', 'Meaning'], ['---', '---', '---', '---'], ...rows];
  return [`## ${title}`, '', ...lines.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}

function meaningOf(variable: AnyVariable): string {
  const { name, facts } = variable;
  const { meaning, note, example, more } = facts;
  return [
    meaning,
    note,
    example && `Example: \`${example}\`.`,
    otherNames(name, facts, code),
    fromFile(variable, code),
    more && `[More](${more}).`,
  ]
    .filter(Boolean)
    .join(' ');
}

function exampleOf(variable: AnyVariable): string {
  const { name, type, facts } = variable;
  const isWritten = isPlain(facts.default) && facts.default !== undefined && !facts.secret;
  const comments = [
    facts.meaning,
    `Value: ${valueOf(type.form, facts)}.`,
    !isWritten && facts.defaultText && `Default: ${facts.defaultText}.`,
    facts.example && `Example: ${facts.example}`,
    otherNames(name, facts, String),
    fromFile(variable, String),
  ].filter((line) => typeof line === 'string');
  const value = isWritten ? String(facts.default) : '';
  return [...comments.map((line) => line.replaceAll('`', '')), `${name}=${value}`]
    .map((line) => `# ${line}`)
    .join('\n');
}

function valueOf(form: string, { unit }: Facts<unknown>): string {
  return unit === undefined ? form : `${form} (${unit})`;
}

function defaultOf(facts: Facts<unknown>): string {
  if (facts.defaultText !== undefined) return facts.defaultText;
  if (facts.required) return 'required';
  return facts.default === undefined ? 'none' : code(facts.default);
}

function code(value: unknown): string {
  return `\`${String(value)}\``;
}

/** The other names of a variable, in the order in which they are preferred. */
function otherNames(name: string, { names = [] }: Facts<unknown>, write: (name: string) => string) {
  const [before, after] = [names.slice(0, names.indexOf(name)), names.slice(names.indexOf(name) + 1)];
  const list = (some: readonly string[]) => some.map((each) => write(each)).join(', ');
  if (before.length > 0) return `${list(before)} wins over it.`;
  return after.length > 0 ? `Without it: ${list(after)}.` : undefined;
}

/** The names under which a file with the secret may be given. */
function fromFile(variable: AnyVariable, write: (name: string) => string): string | undefined {
  const names = fileNamesOf(variable);
  return names.length === 0
    ? undefined
    : `Or a file with it: ${names.map((each) => write(each)).join(', ')}.`;
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'function' && !(typeof value === 'object' && Object.keys(value ?? {}).length === 0);
}
