import { renderLiquid } from '../support/render-liquid.js';

const event = { seconds: 1_612_345_678, when: '2021-02-03T04:05:06.789+02:00' };
const render = (text: string) => renderLiquid(text, event);

describe('date', () => {
  it.each([
    ['1612345678 | date: "%Y-%m-%d %H:%M:%S"', '2021-02-03 09:47:58'],
    ['"1612345678" | date: "%FT%TZ"', '2021-02-03T09:47:58Z'],
    ['seconds | minus: 86400 | date: "%F"', '2021-02-02'],
    ['"1612345678.5" | date: "%s%L"', '1612345678500'],
    ['1612345678123 | date: "%FT%T.%LZ"', '2021-02-03T09:47:58.123Z'],
    ['when | date: "%H:%M %z %:z"', '04:05 +0200 +02:00'],
    ['when | date: "%s"', '1612317906'],
    ['when | date: "%s" | minus: 43200', '1612274706'],
    ['when | date: "%H:%M %z", "UTC"', '02:05 +0000'],
    ['when | date: "%H:%M %z %Z", "America/New_York"', '21:05 -0500 EST'],
    ['when | date: "%H:%M", "+05:30"', '07:35'],
    ['"2021-02-03 04:05:06 UTC" | date: "%s"', '1612325106'],
    ['"2021-02-03" | date: "%A %a %B %b %h %e %-d %j %u %w"', 'Wednesday Wed February Feb Feb  3 3 034 3 3'],
    ['"20210203T040506Z" | date: "%D %R %r"', '02/03/21 04:05 04:05:06 AM'],
    ['"Wed, 03 Feb 2021 04:05:06 -0800 (PST)" | date: "%FT%T%z"', '2021-02-03T04:05:06-0800'],
    ['"Feb 3, 2021 4:05 PM" | date: "%F %R %I %l %p %P"', '2021-02-03 16:05 04  4 PM pm'],
    ['"2021-01-03" | date: "%U %W %V %G %g %C %y"', '01 00 53 2020 20 20 21'],
    ['"2021-02-03" | date: "%^a %10Y %_m %05d %3N %n%t%% %q"', 'WED 0000002021  2 00003 000 \n\t% %q'],
    [
      'when | date: "%c | %v | %x | %X | %+"',
      'Wed Feb  3 04:05:06 2021 |  3-FEB-2021 | 02/03/21 | 04:05:06 | Wed Feb  3 04:05:06  2021',
    ],
    ['"not a date" | date: "%Y"', 'not a date'],
    ['"step 12" | date: "%Y"', 'step 12'],
    ['"2021-13-45" | date: "%Y"', '2021-13-45'],
    ['missing | date: "%Y"', ''],
    ['"2021-02-03" | date: ""', '2021-02-03'],
    ['"2021-02-03" | date: nothing', '2021-02-03'],
    ['when | date_to_xmlschema', '2021-02-03T04:05:06+02:00'],
    ['when | date_to_rfc822', 'Wed, 03 Feb 2021 04:05:06 +0200'],
    ['when | date_to_string', '03 Feb 2021'],
    ['when | date_to_long_string', '03 February 2021'],
  ])('{{ %s }} gives %j', (expression, expected) => {
    expect(render(`{{ ${expression} }}`)).toBe(expected);
  });

  it('knows the present time', () => {
    const before = Math.floor(Date.now() / 1000);
    const now = Number(render('{{ "now" | date: "%s" }}'));
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(before + 5);
    expect(render('{{ "now" | date: "%s" | minus: 480 }}')).toMatch(/^\d{10}$/);
  });

  it('names a zone that does not exist', () => {
    expect(() => render('{{ "now" | date: "%F", "Mars/Base" }}')).toThrow(
      'date: unknown time zone "Mars/Base"',
    );
  });
});
