import { readFileSync } from 'node:fs';
import { parseDate } from '../../../src/language/dates/parse-date.js';
import { momentRead } from '../../../src/language/dates/read-time.js';
import { strftime } from '../../../src/language/dates/strftime.js';
import { strptime } from '../../../src/language/dates/strptime.js';
import { inZone, utc } from '../../../src/language/dates/zoned-time.js';

/** Cases made at random, with what Ruby 3.1 and the tz database answered; fields of a line are separated by tabs. */
const LINES = readFileSync('test/support/ruby-times.tsv', 'utf8').trimEnd().split('\n');
const casesOf = (kind: string) =>
  LINES.map((line) => line.split('\t'))
    .filter(([found]) => found === kind)
    .map(([, ...fields]) => fields);

const NOW = utc(Date.UTC(2026, 10, 25));

describe('Ruby agrees', () => {
  test('there are cases of each kind', () => {
    const counts = ['strftime', 'strptime', 'parse', 'zone'].map((kind) => casesOf(kind).length);
    expect(counts).toEqual([110, 62, 89, 40]);
  });

  test.each(casesOf('strftime'))('%s s and %s ns, offset %s, as %j: %j', (...fields) => {
    const [seconds, nanos, offset, format = '', text] = fields;
    const time = {
      ...utc(Number(seconds) * 1_000 + Math.floor(Number(nanos) / 1e6), Number(nanos) % 1e6),
      ...(offset === '0' ? {} : { offsetSeconds: Number(offset), zoneName: '' }),
    };
    expect(strftime(time, format)).toBe(text);
  });

  test.each(casesOf('strptime'))('the format %j reads %j: %s', (format = '', text = '', moment) => {
    expect(strftime(momentRead(strptime(text, format), NOW), '%s.%N')).toBe(moment);
  });

  test.each(casesOf('parse'))('%j is %s', (text, moment) => {
    const time = parseDate(text, NOW.epochMs);
    expect(time && strftime(time, '%s.%N %z')).toBe(moment);
  });

  test.each(casesOf('zone'))('clocks in %s show at %s: %s', (zone = '', seconds, shown) => {
    const time = inZone(utc(Number(seconds) * 1_000), zone);
    expect(time && strftime(time, '%Z %::z')).toBe(shown);
  });
});
