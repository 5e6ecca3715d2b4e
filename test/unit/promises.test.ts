import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SCENARIOS } from '../chaos/scenarios/index.js';

const ROOT = path.resolve(__dirname, '../..');
const PAGE = readFileSync(path.join(ROOT, 'docs/understand/promises.md'), 'utf8');
const SECURITY_PAGE = readFileSync(path.join(ROOT, 'docs/understand/security.md'), 'utf8');
const FIELD_PAGE = readFileSync(path.join(ROOT, 'docs/understand/field.md'), 'utf8');
const FOLDERS = ['unit', 'api', 'engine', 'system', ''];
/** Findings of people on call: F1 to F27, and those that have no number. */
const FINDINGS = 27;
const PROMISES = 10;
const RULES = 19;

/** The rows of all tables, as the number they stand for and their cells. */
const rows = [...PAGE.matchAll(/^\| (P?\d+) \|(.*)\|(.*)\|$/gm)].map(
  ([, number = '', what = '', tests = '']) => ({
    number,
    what,
    tests: testsNamedIn(tests),
  }),
);

function testsNamedIn(text: string): { file: string; title: string }[] {
  return [...text.matchAll(/`([^`]+?) › ([^`]+)`/g)].map(([, file = '', title = '']) => ({ file, title }));
}

/** Titles as they are written in the sources: of tests and of what they stand in, with their place holders. */
const titlesIn = (file: string): Set<string> => {
  const sources = FOLDERS.flatMap((folder) =>
    ['ts', 'tsx'].map((end) => path.join(ROOT, 'test', folder, `${file}.test.${end}`)),
  ).filter(existsSync);
  const texts = sources
    .map((source) => readFileSync(source, 'utf8'))
    .join('\n')
    .matchAll(
      /(?:\b(?:describe|it|test)\(|\b(?:describe|it|test)\.each[\s\S]*?\]?\)\(|^\s*)\s*(?:'([^'\n]+)'|"([^"\n]+)"|`([^`\n]+)`),\s*(?:async\b|\(|$)/gm,
    );
  return new Set([...texts].map(([, single, double, back]) => single ?? double ?? back ?? ''));
};

const isThere = ({ file, title }: { file: string; title: string }): boolean =>
  file === 'chaos' ? SCENARIOS.some(({ name }) => name === title) : titlesIn(file).has(title);

/** The rules and promises that comments in the product name. */
function namedInSources(): Set<string> {
  const files = ['src', 'workers', 'migrations'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(path.join(ROOT, folder, name), 'utf8')),
  );
  const found = files.flatMap((text) => [
    ...text.matchAll(/\b(rules?|promises?) (\d+)(?:(?:,| and) (\d+))?/gi),
  ]);
  return new Set(
    found.flatMap(([, kind = '', ...numbers]) =>
      numbers
        .filter((number) => number !== undefined)
        .map((number) => (kind.toLowerCase().startsWith('p') ? `P${number}` : number)),
    ),
  );
}

test('every promise and every rule has its place, and each of its sentences a test', () => {
  const numbers = [
    ...Array.from({ length: PROMISES }, (_, index) => `P${index + 1}`),
    ...Array.from({ length: RULES }, (_, index) => String(index + 1)),
  ];
  expect([...new Set(rows.map(({ number }) => number))]).toEqual(numbers);
  expect(rows.filter(({ what, tests }) => what.trim() === '' || tests.length === 0)).toEqual([]);
});

test('every test that the page names is there', () => {
  const pages = [SECURITY_PAGE, FIELD_PAGE].flatMap(testsNamedIn);
  const named = [...rows.flatMap(({ tests }) => tests), ...pages];
  expect(named.filter((each) => !isThere(each)).map(({ file, title }) => `${file} › ${title}`)).toEqual([]);
});

test('every row of the page on security names a test', () => {
  const lines = SECURITY_PAGE.split('\n').filter((line) => line.startsWith('| '));
  const unguarded = lines.filter((line) => !line.endsWith(' Test |') && testsNamedIn(line).length === 0);
  expect(lines.length).toBeGreaterThan(80);
  expect(unguarded).toEqual([]);
});

test('every finding of people on call names a test', () => {
  const found = [...FIELD_PAGE.matchAll(/^\| (F\d+|Low) \| .+ \| (.+) \|$/gm)];
  const numbered = found.flatMap(([, id = '']) => (id === 'Low' ? [] : id));
  expect(numbered).toEqual(Array.from({ length: FINDINGS }, (_, index) => `F${index + 1}`));
  expect(found.length).toBeGreaterThan(numbered.length);
  expect(found.filter(([, , tests = '']) => testsNamedIn(tests).length === 0)).toEqual([]);
});

test('a name that is nowhere would be missed', () => {
  expect(isThere({ file: 'promises', title: 'every test that the page names is there' })).toBe(true);
  expect(isThere({ file: 'promises', title: 'every test that the page' })).toBe(false);
  expect(isThere({ file: 'nowhere', title: 'x' })).toBe(false);
  expect(isThere({ file: 'chaos', title: 'quiet' })).toBe(true);
  expect(isThere({ file: 'chaos', title: 'quieter' })).toBe(false);
});

test('the page has every rule and promise that the sources speak of', () => {
  const known = new Set(rows.map(({ number }) => number));
  const named = namedInSources();
  expect(named.size).toBeGreaterThan(15);
  expect([...named].filter((number) => !known.has(number))).toEqual([]);
});
