import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(__dirname, '../../docs/decisions');
const HEAD =
  /^# (?<number>\d{4}): (?<title>.+)\n\n- Status: (?<status>Accepted|Withdrawn)\n- Date: (?<date>\d{4}-\d\d-\d\d)\n\n\S/;

const files = readdirSync(FOLDER).filter((name) => /^\d{4}-.+\.md$/.test(name));
const textOf = (name: string) => readFileSync(path.join(FOLDER, name), 'utf8');

/** The fields of a record's head; an error names a record without one. */
function headOf(name: string) {
  const { number = '', title = '', date = '' } = HEAD.exec(textOf(name))?.groups ?? {};
  if (number === '') throw new Error(`${name} has no head of title, status and date`);
  return { number, title, date };
}

const heads = files.map((name) => ({ name, ...headOf(name) }));
const linesOf = (pattern: RegExp) =>
  textOf('README.md')
    .split('\n')
    .filter((line) => pattern.test(line));

test.each(heads)('decision record $name has its number and a date', (head) => {
  expect(head.name.startsWith(`${head.number}-`)).toBe(true);
  expect(new Date(head.date).toISOString().slice(0, 10)).toBe(head.date);
});

test('the index of decision records has number, title and date of each', () => {
  expect(linesOf(/^\| \[\d{4}\]/)).toEqual(
    heads.map((head) => `| [${head.number}](${head.name}) | ${head.title} | ${head.date} |`),
  );
});

test('each number is that of one record, or stands among the earlier ones with what holds now', () => {
  const earlier = linesOf(/^\| \d{4} \| \[.+\]\(.+\) \|$/).map((line) => line.slice(2, 6));
  const numbers = [...heads.map(({ number }) => number), ...earlier].toSorted();
  expect(numbers).toEqual(numbers.map((_, index) => String(index + 1).padStart(4, '0')));
});

test('no record tells of a later one that amends it', () => {
  expect(files.filter((name) => /[Ss]upersede|^Amends/m.test(textOf(name)))).toEqual([]);
});
