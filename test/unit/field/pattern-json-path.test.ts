import { queryJsonPath } from '../../../src/language/values/json-path.js';

const find = (path: string, value: unknown) => queryJsonPath(value, path, () => undefined);

describe('C30: patterns of JSONPath', () => {
  it.each([
    ['a.b', 'a\rb'],
    ['a.b', 'a\nb'],
    ['a..b', 'a\r\nb'],
    ['.*', 'a\rb'],
    ['[a&&b]', 'x'],
  ])('match(): %s does not match %j', (pattern, text) => {
    expect(find(`$[?match(@, '${pattern}')]`, [text])).toEqual([]);
  });

  it.each([
    ['a.b', 'a\u2028b'],
    ['a.b', 'a\u0085b'],
    ['a.b', 'a😀b'],
    ['\\\\p{Lu}é+', 'Éé'],
    ['[a&&b]+', 'a&b'],
  ])('match(): %s matches %j', (pattern, text) => {
    expect(find(`$[?match(@, '${pattern}')]`, [text])).toEqual([text]);
  });

  it('search(): a dot stops at both line breaks', () => {
    expect(find("$[?search(@, 'x.y')]", ['ax\rya', 'ax\nya', 'axzya'])).toEqual(['axzya']);
  });
});
