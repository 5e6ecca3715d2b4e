import { evaluateFormula } from '../../src/language/formula/evaluation/evaluate.js';
import { renderLiquid } from '../support/render-liquid.js';

/** A Saturday. */
const NOW = new Date('2026-11-28T15:30:00Z');

beforeEach(() => {
  jest.useFakeTimers({ now: NOW, doNotFake: ['performance'] });
});
afterEach(() => jest.useRealTimers());

describe('a time of day alone', () => {
  it.each([
    ['{{ "10:20" | date: "%F %T" }}', '2026-11-28 10:20:00'],
    ['{{ "3 pm" | date: "%F %T" }}', '2026-11-28 15:00:00'],
    ['{{ " 10:20:30 +0200 " | date: "%F %T %z" }}', '2026-11-28 10:20:30 +0200'],
    ['{{ "25:00" | date: "%F" }}', '25:00'],
    ['{{ "see 10:20" | date: "%F" }}', 'see 10:20'],
    ['{{ "10:20" | date_to_xmlschema }}', '2026-11-28T10:20:00+00:00'],
  ])('L13: is today in Liquid: %s is %s', (template, text) => {
    expect(renderLiquid(template)).toBe(text);
  });
});

describe('a weekday that a format reads', () => {
  it.each([
    ['Friday 23:00', '%A %H:%M', '2026-11-27 23:00:00'],
    ['Sun 01:00', '%a %H:%M', '2026-11-22 01:00:00'],
    ['Saturday', '%A', '2026-11-28 00:00:00'],
    ['Friday 24 Nov 23:00', '%A %d %b %H:%M', '2026-11-24 23:00:00'],
  ])('L13: is that of this week: %s', (text, format, time) => {
    expect(evaluateFormula('=DATE(DATE_PARSE(t, f), "%F %T")', { t: text, f: format })).toBe(time);
  });
});

const archiveOf = (at: string) =>
  evaluateFormula('=SHA256(ZIP([{name: "a", contents: "b", created_at: at}]))', { at });

describe('a ZIP archive', () => {
  it.each([
    '=SHA256(ZIP("hello", "a.txt"))',
    '=SHA256(ZIP("hello", "a.txt", "secret"))',
    '=SHA256(ZIP([{name: "a", contents: "b"}], "secret"))',
  ])('L16: has the same bytes whenever it is made: %s', (formula) => {
    const first = evaluateFormula(formula, {});
    jest.setSystemTime(new Date('2027-01-01T00:00:00Z'));
    expect(evaluateFormula(formula, {})).toBe(first);
  });

  it('L16: keeps the times that its files have, and can be opened', () => {
    expect(
      evaluateFormula(
        '=BASE64_DECODE(UNZIP(ZIP("hello", "a.txt", "pw"), "pw")[0].base64encodedcontents)',
        {},
      ),
    ).toBe('hello');
    expect(archiveOf('2024-01-01T00:00:00Z')).not.toBe(archiveOf('2025-01-01T00:00:00Z'));
  });
});
