import * as fc from 'fast-check';
import { createFormulaLanguage } from '../../src/language/formula/formula-language.js';
import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import type { TemplateDependencies } from '../../src/language/template.js';

const liquid = createLiquidLanguage();
const formula = createFormulaLanguage();

const NOTHING: TemplateDependencies = {
  roots: [],
  inputs: [],
  sets: [],
  credentials: [],
  resources: [],
  stories: [],
  storiesOfTeams: [],
};
const root = (name: string, line: number, column: number) => ({ name, line, column });

describe('what a Liquid text needs', () => {
  it.each<[string, Partial<TemplateDependencies>]>([
    ['plain text, << CREDENTIAL.x >>', {}],
    ['{{ .a.b | default: .c }}', { roots: [root('a', 1, 1), root('c', 1, 1)] }],
    ['x\n {% if .q == 1 %}{{ .r }}{% endif %}', { roots: [root('q', 2, 2), root('r', 2, 18)] }],
    ['{% for i in .l %}{{ i.x }}{{ forloop.index }}{% endfor %}', { roots: [root('l', 1, 1)] }],
    [
      '{% assign a = .b %}{{ a }}{% capture c %}{% endcapture %}',
      { roots: [root('b', 1, 1)], sets: ['a', 'c'] },
    ],
    ['{% increment n %}', { sets: ['n'] }],
    ["{% credential 'a key' %}{{ CREDENTIAL.b.c }}", { credentials: ['a key', 'b'] }],
    [
      "{% if .x %}{% global_resource g %}{% endif %}{{ .RESOURCE['o k'] }}",
      { roots: [root('x', 1, 1)], resources: ['g', 'o k'] },
    ],
    ['{% story Foo Bar %}{{ .STORY.foo | upcase }}', { stories: ['Foo Bar', 'foo'] }],
    [
      '{{ .STORY.team.foo }}{{ .STORY.team["b c"].id }}',
      {
        storiesOfTeams: [
          { team: 'team', story: 'foo' },
          { team: 'team', story: 'b c' },
        ],
      },
    ],
    ['{% liquid\n credential c\n echo .w.x %}', { roots: [root('w', 1, 1)], credentials: ['c'] }],
    ['{{ CREDENTIAL[which] }}', { roots: [root('which', 1, 1)] }],
    ['{{ . }}', {}],
    ['{% comment %}{{ .a }}{% credential c %}{% endcomment %}{% raw %}{{ .a }}{% endraw %}', {}],
    ['{{ .a {% credential c %}', {}],
  ])('%s', (text, expected) => {
    expect(liquid.dependencies(text)).toEqual({ ...NOTHING, ...expected });
  });

  it('is not known of tags nested past the stack, and asking for it fails nothing', () => {
    for (const depth of [500, 1_000, 2_000]) {
      const text = `${'{% if .a %}'.repeat(depth)}${'{% endif %}'.repeat(depth)}`;
      expect(liquid.dependencies(text).roots.length).toBeLessThanOrEqual(1);
    }
  });
});

describe('what a text with formulas needs', () => {
  it.each<[string, Partial<TemplateDependencies>]>([
    ['plain text, {{ CREDENTIAL.x }}', {}],
    ['=b.c & a.d & b.e', { roots: [root('b', 1, 2), root('a', 1, 8)] }],
    ['x\n<<MAP(l, LAMBDA(i, i.x & CREDENTIAL.k))>>', { roots: [root('l', 2, 7)], credentials: ['k'] }],
    ['<% for r in t.rows %><<r.id>><<FORLOOP.first>><% endfor %>', { roots: [root('t', 1, 13)] }],
    ['<<RESOURCE["a b"]>><<STORY.s>><<RESOURCE.c>>', { resources: ['c', 'a b'], stories: ['s'] }],
    [
      '=STORY.team.s & STORY[x].y',
      { roots: [root('x', 1, 23)], storiesOfTeams: [{ team: 'team', story: 's' }] },
    ],
    ['=CREDENTIAL[which]', { roots: [root('which', 1, 13)] }],
    ['=a +', {}],
  ])('%s', (text, expected) => {
    expect(formula.dependencies(text)).toEqual({ ...NOTHING, ...expected });
  });
});

describe('any text', () => {
  const fragments = [
    '{{ }} {% %} << >> <% = if endif endfor for assign capture endcapture credential story x k in [0] | : " \'',
    ".a b.c ['d'] CREDENTIAL RESOURCE STORY . , ( ) LAMBDA(x, MAP( \u{1F600} \0",
  ].flatMap((line) => line.split(' '));
  const texts = fc
    .array(fc.tuple(fc.constantFrom(...fragments), fc.constantFrom('', ' ', '\n')), { maxLength: 30 })
    .map((parts) => parts.flat().join(''));

  it.each([liquid, formula])(
    'can be asked what it needs, and names places inside of it ($name)',
    (language) => {
      fc.assert(
        fc.property(texts, (text) => {
          const lines = text.split('\n');
          for (const { line, column } of language.dependencies(text).roots) {
            expect(column).toBeGreaterThanOrEqual(1);
            expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? -1) + 1);
          }
        }),
        { numRuns: 1_000 },
      );
    },
  );
});
