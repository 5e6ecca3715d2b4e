import { renderLiquid } from '../support/render-liquid.js';

const event = { t: 'abc', list: ['x', 'y'], texts: ['ab', 'cd'], space: ' ', none: '', o: { a: 'text' } };

describe('a text', () => {
  it.each([
    ['[{{ t[0] }}]', '[]'],
    ['[{{ t[-1] }}{{ t.first }}{{ t["0"] }}{{ t.length }}]', '[]'],
    ['{{ t.size }}', '3'],
    ['{% assign i = 1 %}[{{ t[i] }}]', '[]'],
    ['{% if t[0] %}list{% else %}text{% endif %}', 'text'],
    ['{% if list[0] %}list{% else %}text{% endif %}', 'list'],
    ['{% for i in texts %}[{{ i[0] }}]{% endfor %}', '[][]'],
    ['{% for i in o %}{{ i[0] }}={{ i[1] }}{{ i[1][0] }}{% endfor %}', 'a=text'],
  ])('L9: has no elements: %s is %s', (template, text) => {
    expect(renderLiquid(template, event)).toBe(text);
  });

  it.each([
    ['"abc" > " "', true],
    ['"2024-01-01" >= ""', true],
    ['"" < "a"', true],
    ['"" < ""', false],
    ['"" <= none', true],
    ['space < "a"', true],
    ['space > none', true],
    ['"" < 1', false],
    ['" " >= 0', false],
    ['1 > ""', false],
    ['none < nothing', false],
    ['"10" > "9"', false],
    ['"10" > 9', true],
  ])('L10: is compared with a text as a text: %s is %s', (condition, holds) => {
    expect(renderLiquid(`{% if ${condition} %}true{% else %}false{% endif %}`, event)).toBe(String(holds));
  });

  it.each([
    ['{{ "-2.50 USD" | times: 2 }}', '-4'],
    ['{{ "-2.50" | times: 2 }}', '-5.0'],
    ['{{ " 2.5 " | plus: 1 }}', '3.5'],
    ['{{ "12 apples" | plus: 1 }}', '13'],
    ['{{ "+2.5" | times: 2 }}', '4'],
    ['{{ "1e3" | plus: 1 }}', '2'],
    ['{{ "1.5e3" | plus: 1 }}', '2'],
    ['{{ ".5" | plus: 1 }}', '1'],
    ['{{ "5." | plus: 1 }}', '6'],
    ['{{ "1,234.5" | plus: 1 }}', '2'],
    ['{{ "1_000" | plus: 1 }}', '1001'],
    ['{{ "0x1A" | plus: 1 }}', '1'],
    ['{{ "2.9 kg" | ceil }}', '2'],
    ['{{ "2.1" | ceil }}', '3'],
    ['{{ 7 | divided_by: "2.0" }}', '3.5'],
    ['{{ 7 | divided_by: "2.0 kg" }}', '3'],
    ['{{ "12345678901234567890" | plus: 1 }}', '12345678901234567891'],
  ])('L11: counts as the number that Ruby reads in it: %s is %s', (template, text) => {
    expect(renderLiquid(template, event)).toBe(text);
  });
});
