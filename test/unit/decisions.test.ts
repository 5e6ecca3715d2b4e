import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(__dirname, '../../docs/decisions');
const HEAD =
  /^# (?<number>\d{4}): (?<title>.+)\n\n- Status: (?<status>.+)\n- Date: (?<date>\d{4}-\d\d-\d\d)\n\n\S/;
const LATER = String.raw`\d{4}(?:, \d{4})*(?: and \d{4})?`;
const STATUS = new RegExp(
  `^(?:Accepted(?:, in part superseded by ${LATER})?|Superseded by \\d{4}|Withdrawn)$`,
);

const files = readdirSync(FOLDER).filter((name) => /^\d{4}-.+\.md$/.test(name));
const textOf = (name: string) => readFileSync(path.join(FOLDER, name), 'utf8');

/** The fields of a record's head; an error names a record without one. */
function headOf(name: string) {
  const { number = '', title = '', status = '', date = '' } = HEAD.exec(textOf(name))?.groups ?? {};
  if (number === '') throw new Error(`${name} has no head of title, status and date`);
  return { number, title, status, date };
}

const heads = files.map((name) => ({ name, ...headOf(name) }));
const numbers = heads.map(({ number }) => number);

test.each(heads)('decision record $name has its number, a status and a date', (head) => {
  expect(head.name.startsWith(`${head.number}-`)).toBe(true);
  expect(head.status).toMatch(STATUS);
  expect(new Date(head.date).toISOString().slice(0, 10)).toBe(head.date);
  for (const later of head.status.match(/\d{4}/g) ?? []) {
    expect(numbers).toContain(later);
    expect(Number(later)).toBeGreaterThan(Number(head.number));
  }
});

test('numbers of decision records follow each other from 0001', () => {
  expect(numbers).toEqual(files.map((_, index) => String(index + 1).padStart(4, '0')));
});

test('the index of decision records has number, title, status and date of each', () => {
  const rows = textOf('README.md')
    .split('\n')
    .filter((line) => /^\| \[\d{4}\]/.test(line));
  expect(rows).toEqual(
    heads.map((head) => `| [${head.number}](${head.name}) | ${head.title} | ${head.status} | ${head.date} |`),
  );
});
