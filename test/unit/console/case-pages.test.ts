import * as fc from 'fast-check';
import { typedValue } from '../../../src/console/pages/case/aside/metadata-value.js';
import { caseFiltersIn, casesPath, inputOf } from '../../../src/console/pages/cases/case-query.js';
import { type Block, blocksIn } from '../../../src/console/ui/markdown/markdown-blocks.js';
import { type Inline, inlinesIn } from '../../../src/console/ui/markdown/markdown-inlines.js';
import { safeAddress } from '../../../src/console/ui/markdown/safe-address.js';

const countOf = (given: string) => given.split('word').length - 1;
const text = (words: string): Inline => ({ kind: 'text', text: words });

describe('a line of Markdown', () => {
  test.each<[string, Inline[]]>([
    ['plain 2 * 3 * 4 and snake_case_name', [text('plain 2 * 3 * 4 and snake_case_name')]],
    [
      '**bold** *soft* ~~gone~~',
      [
        { kind: 'strong', inside: [text('bold')] },
        text(' '),
        { kind: 'emphasis', inside: [text('soft')] },
        text(' '),
        { kind: 'struck', inside: [text('gone')] },
      ],
    ],
    ['`a **b**`', [{ kind: 'code', text: 'a **b**' }]],
    ['hi <@user-12>!', [text('hi '), { kind: 'mention', userId: 12 }, text('!')]],
    ['<b>x</b> & <@user-x>', [text('<b>x</b> & <@user-x>')]],
    [
      'see https://a.example/b_c_d).',
      [
        text('see '),
        { kind: 'link', address: 'https://a.example/b_c_d', inside: [text('https://a.example/b_c_d')] },
        text(').'),
      ],
    ],
    ['[a](mailto:a@b.example)', [{ kind: 'link', address: 'mailto:a@b.example', inside: [text('a')] }]],
    ['[a](javascript:alert)', [text('[a](javascript:alert)')]],
    ['\\*not\\*', [text('*'), text('not'), text('*')]],
    ['a\nb', [text('a'), { kind: 'break' }, text('b')]],
  ])('%j', (line, parts) => {
    expect(inlinesIn(line)).toEqual(parts);
  });

  test('a link in the text of a link leads nowhere else', () => {
    expect(inlinesIn('[https://good.example](https://evil.example/)')).toEqual([
      { kind: 'link', address: 'https://evil.example/', inside: [text('https://good.example')] },
    ]);
  });
});

describe('the blocks of a Markdown text', () => {
  test('are told apart, and unknown marks stay text', () => {
    const blocks = blocksIn(
      '# Head\r\nline\nline two\n\n- a\n  - [x] b\n3. c\n> quote\n> - in it\n```js\n<b>\n```\n---\n<hr>',
    );
    expect(blocks.map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'list',
      'quote',
      'code',
      'rule',
      'paragraph',
    ]);
    const [, , list, quote, code] = blocks as [Block, Block, Block, Block, Block];
    expect(list).toMatchObject({
      entries: [
        { level: 0, mark: '•' },
        { level: 1, mark: '☑' },
        { level: 0, mark: '3.' },
      ],
    });
    expect(quote).toMatchObject({ blocks: [{ kind: 'paragraph' }, { kind: 'list' }] });
    expect(code).toEqual({ kind: 'code', text: '<b>' });
  });

  test('any text ends, and no word of it is lost', () => {
    const words = (blocks: readonly (Block | Inline)[]): string =>
      blocks
        .map((block) => {
          if ('text' in block) return block.text;
          if ('inside' in block) return words(block.inside);
          if ('blocks' in block) return words(block.blocks);
          return 'entries' in block ? block.entries.map(({ inside }) => words(inside)).join('') : '';
        })
        .join('');
    const piece = fc.constantFrom(
      'word',
      '**',
      '*',
      '`c`',
      '[',
      ']',
      '](',
      ')',
      '> ',
      '- ',
      '\n',
      '<',
      '~~',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const given = pieces.join('');
        expect(countOf(words(blocksIn(given)))).toBe(countOf(given));
      }),
    );
  });

  test.each(['> '.repeat(32_000), '['.repeat(65_000), '**'.repeat(32_000), '`_*~'.repeat(16_000)])(
    'a text of marks alone is read',
    (marks) => {
      expect(blocksIn(marks).length).toBeGreaterThan(0);
    },
  );
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
