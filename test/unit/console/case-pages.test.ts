import { typedValue } from '../../../src/console/pages/case/aside/metadata-value.js';
import { caseFiltersIn, casesPath, inputOf } from '../../../src/console/pages/cases/case-query.js';
import { type MarkdownPart, markdownTree, withBox } from '../../../src/console/ui/markdown/markdown-tree.js';
import { safeAddress } from '../../../src/console/ui/markdown/safe-address.js';

/** The parts as text: `p(a strong(b))`, links with their address. */
const written = (parts: readonly MarkdownPart[]): string =>
  parts
    .map(({ tag, text, address, children }) => {
      const inside = children.length > 0 ? written(children) : text;
      return tag === '' ? inside : `${tag}${address === undefined ? '' : `=${address}`}(${inside})`;
    })
    .join('');

describe('a Markdown text', () => {
  test.each([
    ['plain 2 * 3 * 4 and snake_case_name', 'p(plain 2 * 3 * 4 and snake_case_name)'],
    ['**bold** *soft* ~~gone~~', 'p(strong(bold) em(soft) s(gone))'],
    ['`a **b**`', 'p(code(a **b**))'],
    ['hi <@user-12>!', 'p(hi <@user-12>!)'],
    ['<b>x</b> & <script>y</script>', 'p(<b>x</b> & <script>y</script>)'],
    ['see https://a.example/b_c_d).', 'p(see a=https://a.example/b_c_d(https://a.example/b_c_d)).)'],
    ['[a](mailto:a@b.example)', 'p(a=mailto:a@b.example(a))'],
    ['[a](javascript:alert)', 'p([a](javascript:alert))'],
    ['[a](/console/cases)', 'p([a](/console/cases))'],
    ['a\nb', 'p(abr()b)'],
    [
      '# Head\n> quote\n\n- a\n- b\n\n```js\n<b>\n```',
      'h1(Head)blockquote(p(quote))ul(li(a)li(b))pre(<b>\n)',
    ],
    ['![alt](https://a.example/x.png)', 'p(img(alt))'],
  ])('%j', (given, parts) => {
    expect(written(markdownTree(given))).toBe(parts);
  });

  test.each(['> '.repeat(32_000), '['.repeat(65_000), '_a* '.repeat(16_000), '`_*~'.repeat(16_000)])(
    'of marks alone is read',
    (marks) => {
      expect(markdownTree(marks).length).toBeGreaterThan(0);
    },
  );

  test('has boxes in a list', () => {
    expect(['[x] done', '[ ] open', 'a [x]'].map(withBox)).toEqual(['☑ done', '☐ open', 'a [x]']);
  });
});

test.each([
  ['https://a.example/x', 'https://a.example/x'],
  [' mailto:a@b.example', 'mailto:a@b.example'],
  ['javascript:alert(1)', undefined],
  ['JAVASCRIPT:alert(1)', undefined],
  ['java\nscript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['/console/cases', undefined],
  ['//evil.example', undefined],
  ['file:///etc/passwd', undefined],
])('%j leads to %j', (address, leads) => {
  expect(safeAddress(address)).toBe(leads);
});

describe('the filters of cases', () => {
  test('stand in the address, and what it names wrongly is as absent', () => {
    const filters = {
      ...caseFiltersIn(''),
      search: 'a & b',
      priority: 'HIGH' as const,
      team: 7,
      assignee: 'a@b.example',
      tag: 'tier 1',
      page: 2,
    };
    const path = casesPath(filters);
    expect(caseFiltersIn(path.slice(path.indexOf('?')))).toEqual(filters);
    expect(casesPath(caseFiltersIn('?status=open&priority=x&team=0&order=y&page=-1&view=z'))).toBe('/cases');
  });

  test('become parameters of the API', () => {
    expect(inputOf(caseFiltersIn('?status=OPEN&team=7&assignee=a@b.example'))).toEqual({
      status: 'OPEN',
      team_id: 7,
      assignee_email: 'a@b.example',
      order: 'UPDATED_AT_DESC',
      page: 1,
    });
  });
});

test.each([
  ['malicious', 'malicious'],
  ['true', true],
  ['3', 3],
  ['12345678901234567890', '12345678901234567890'],
  ['1.50', '1.50'],
  ['["a"]', ['a']],
  ['', ''],
])('the typed value %j is %j', (typed, value) => {
  expect(typedValue(typed)).toEqual(value);
});
