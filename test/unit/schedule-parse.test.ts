import { isJsonObject, type JsonObject, type JsonValue } from '../../src/platform/json.js';
import { parseSchedule } from '../../src/stories/schedules/parse-schedule.js';
import { realExports } from '../support/stories.js';

const cronOf = (value: JsonValue | undefined) =>
  parseSchedule(value).schedules.map(({ cron, timezone }) => `${cron} (${timezone})`);
const faultsOf = (value: JsonValue) =>
  parseSchedule(value).problems.map(({ message, details }) => [details, message]);

describe('a schedule that starts nothing', () => {
  test.each([[undefined], [null], [''], ['  '], ['never'], [[]], [['never', null]]])('%j', (value) => {
    expect(parseSchedule(value)).toEqual({ schedules: [], problems: [] });
  });
});

describe('a word', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const name = hour < 12 ? `${hour}am` : `${hour - 12}pm`;
    return [hour === 0 ? 'midnight' : hour === 12 ? 'noon' : name, `0 ${hour} * * *`];
  });
  test.each([
    ['every_1m', '* * * * *'],
    ['every_2m', '*/2 * * * *'],
    ['every_5m', '*/5 * * * *'],
    ['every_10m', '*/10 * * * *'],
    ['every_30m', '*/30 * * * *'],
    ['every_1h', '0 * * * *'],
    ['every_2h', '0 */2 * * *'],
    ['every_5h', '0 */5 * * *'],
    ['every_12h', '0 */12 * * *'],
    ['every_1d', '0 0 * * *'],
    ['every_2d', '0 0 */2 * *'],
    ['every_7d', '0 0 * * 1'],
    ...hours,
  ])('%s is %s, in UTC', (word, cron) => {
    expect(parseSchedule(word)).toEqual({ schedules: [{ cron, timezone: 'UTC' }], problems: [] });
  });

  test.each(['every_3d', 'daily', '* * * * *', '12am', '13pm', 'Midnight'])('%s is none', (word) => {
    expect(faultsOf(word)).toEqual([
      [undefined, expect.stringContaining('not a schedule such as') as string],
    ]);
  });
});

describe('cron with a time zone', () => {
  test.each<[JsonObject, string]>([
    [{ cron: '0 9 * * *', timezone: 'America/Vancouver' }, '0 9 * * * (America/Vancouver)'],
    [{ cron: '0 9 1 */1 *', timezone: 'America/Vancouver' }, '0 9 1 */1 * (America/Vancouver)'],
    [{ cron: '*/1 * * * *', timezone: 'America/Chicago' }, '*/1 * * * * (America/Chicago)'],
    [{ cron: '0 */12 * * *', timezone: 'Etc/UTC' }, '0 */12 * * * (Etc/UTC)'],
    [{ cron: '*/15 * * * *', timezone: 'UTC' }, '*/15 * * * * (UTC)'],
    [{ cron: '0 9 * * *' }, '0 9 * * * (UTC)'],
    [{ cron: '0 9 * * *', timezone: null }, '0 9 * * * (UTC)'],
    [{ cron: '0 9 * * *', timezone: ' ' }, '0 9 * * * (UTC)'],
    [{ cron: ' 0  9 * *   MON-FRI ', timezone: ' Europe/Dublin ' }, '0 9 * * MON-FRI (Europe/Dublin)'],
    [{ cron: '0 0 ? JAN,jul 7', timezone: 'UTC' }, '0 0 ? JAN,jul 7 (UTC)'],
    [{ cron: '0 0 29 2 *' }, '0 0 29 2 * (UTC)'],
    [{ cron: '0 0 31 4 1' }, '0 0 31 4 1 (UTC)'],
    [{ cron: '5 4 * * *', timezone: 'UTC', id: 7 }, '5 4 * * * (UTC)'],
  ])('%j', (value, expected) => {
    expect([cronOf(value), cronOf([value])]).toEqual([[expected], [expected]]);
    expect(parseSchedule(value).problems).toEqual([]);
  });

  test('a list holds any of them, and the same twice counts once', () => {
    const list = [
      'every_1d',
      { cron: '0 9 * * *', timezone: 'Europe/Dublin' },
      'noon',
      null,
      'never',
      'noon',
    ];
    expect(cronOf([...list, { cron: ' 0 12 * * *' }])).toEqual([
      '0 0 * * * (UTC)',
      '0 9 * * * (Europe/Dublin)',
      '0 12 * * * (UTC)',
    ]);
  });

  test.each<[JsonValue, string, string]>([
    [{ cron: '' }, 'cron', 'five fields'],
    [{ cron: '* * * *' }, 'cron', 'five fields'],
    [{ cron: '*/5 * * * * *' }, 'cron', 'five fields'],
    [{ cron: '@daily' }, 'cron', 'five fields'],
    [{ cron: '60 * * * *' }, 'cron', 'is not a cron expression'],
    [{ cron: '*/0 * * * *' }, 'cron', 'is not a cron expression'],
    [{ cron: '5-1 * * * *' }, 'cron', 'is not a cron expression'],
    [{ cron: '0 0 * * FOO' }, 'cron', 'is not a cron expression'],
    [{ cron: 'H * * * *' }, 'cron', 'contains "H"'],
    [{ cron: '0 0 L * *' }, 'cron', 'contains "L"'],
    [{ cron: '0 0 * * 5#2' }, 'cron', 'contains "5#2"'],
    [{ cron: '0 0 １ * *' }, 'cron', 'contains "１"'],
    [{ cron: '0 0 30 2 *' }, 'cron', 'no day of any year'],
    [{ cron: '0 0 1-2-3 * *' }, 'cron', 'is not a cron expression'],
    [{ cron: '0 0 1, * *' }, 'cron', 'is not a cron expression'],
    [{ cron: '0 0 31 4,6,9,11 *' }, 'cron', 'no day of any year'],
    [{ cron: `${'1,'.repeat(200)}1 * * * *` }, 'cron', '255 characters'],
    [{ cron: '* * * * *', timezone: 'Mars/Base' }, 'timezone', 'not an IANA time zone'],
    [{ cron: '* * * * *', timezone: '+01:00' }, 'timezone', 'not an IANA time zone'],
    [['noon', { cron: '61 * * * *' }], '[1].cron', 'is not a cron expression'],
  ])('%j has a fault at %s', (value, place, message) => {
    expect(faultsOf(value)).toEqual([[place, expect.stringContaining(message) as string]]);
  });

  test('what is right of a list with a fault is used', () => {
    expect(cronOf(['tomorrow', 'noon'])).toEqual(['0 12 * * * (UTC)']);
  });
});

describe('a value that no schedule can be', () => {
  test.each<[JsonValue, (string | undefined)[]]>([
    [5, [undefined]],
    [true, [undefined]],
    [{}, ['cron']],
    [{ cron: 5, timezone: 5 }, ['cron', 'timezone']],
    [
      [5, 'noon', [], { timezone: 'UTC' }],
      ['[0]', '[2]', '[3].cron'],
    ],
    [Array.from({ length: 21 }, () => 'noon'), [undefined]],
  ])('%j', (value, places) => {
    expect(parseSchedule(value).schedules).toEqual([]);
    expect(parseSchedule(value).problems.map(({ details }) => details)).toEqual(places);
  });
});

function schedulesIn(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap(schedulesIn);
  if (!isJsonObject(value)) return [];
  const own = typeof value.type === 'string' && value.schedule !== undefined ? [value.schedule] : [];
  return [...own, ...Object.values(value).flatMap(schedulesIn)];
}

const exports = realExports();
(exports.length > 0 ? test : test.skip)(
  'every schedule of the real exports can be used (skipped where they are missing)',
  () => {
    const schedules = exports.flatMap(([, text]) => schedulesIn(JSON.parse(text) as JsonValue));
    expect(schedules.length).toBeGreaterThan(500);
    expect(schedules.flatMap((value) => parseSchedule(value).problems)).toEqual([]);
    expect(schedules.flatMap(cronOf).length).toBeGreaterThanOrEqual(10);
  },
);
