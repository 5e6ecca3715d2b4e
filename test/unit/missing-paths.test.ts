import { createLanguages, missingPaths } from '../../src/language/face.js';

const languages = createLanguages();
const event = { receive: { body: { name: 'Ada', empty: '', none: null, items: [{ id: 1 }], 'odd key': 1 } } };

function missing(language: 'liquid' | 'formula', text: string, set: string[] = []) {
  const found = missingPaths(languages[language].paths(text), event, { language, set: new Set(set) });
  return found.map(({ path, isGuarded }) => (isGuarded ? `${path}?` : path));
}

function at(language: 'liquid' | 'formula', text: string) {
  const found = missingPaths(languages[language].paths(text), event, { language, set: new Set() });
  return found.map(({ line, column }) => [line, column]);
}

describe('the paths that an event lacks', () => {
  it.each([
    ['=receive.body.nmae', ['receive.body.nmae']],
    ['=receive.body.nmae.first.letter', ['receive.body.nmae']],
    ['Hi <<receive.body.name>> <<receive.body.empty>> <<receive.body.none>>', []],
    ['=receive.body.none.more', ['receive.body.none.more']],
    ['=receive.body.items[0].id + receive.body.items[1].id', ['receive.body.items[1]']],
    ['=receive.body["odd key"] & receive.body["odder key"]', ['receive.body["odder key"]']],
    ['=receive.body.items.size & receive.body.name.size', []],
    ['=recieve.body.name', ['recieve']],
    ['=receive.body[receive.wrong].x', ['receive.wrong']],
    ['=META.story.name & LOCAL.a & INPUT.b & RESOURCE.c.d', []],
    ['=MAP(receive.body.items, LAMBDA(item, item.idd & receive.typo))', ['receive.typo']],
    ['<% for row in receive.rows %><<row.id>><<FORLOOP.index>><% endfor %>', ['receive.rows']],
    ['=UPCASE(receive.a) & receive.a', ['receive.a']],
    ['=UPCASE(', []],
  ])('formula: %s', (text, paths) => {
    expect(missing('formula', text)).toEqual(paths);
  });

  it.each([
    ['=DEFAULT(receive.a, receive.b)', ['receive.a?', 'receive.b?']],
    ['=receive.a |> DEFAULT(%, 1)', ['receive.a?']],
    ['=IF(receive.a, UPCASE(receive.b), 1) & receive.c', ['receive.a?', 'receive.b?', 'receive.c']],
    ['=receive.a || receive.b', ['receive.a?', 'receive.b?']],
    ['=IS_NULL(receive.a) & receive.a', ['receive.a']],
    ['<% if receive.a %><<receive.b>><% endif %><<receive.c>>', ['receive.a?', 'receive.b?', 'receive.c']],
  ])('formula: what a condition or default guards is marked: %s', (text, paths) => {
    expect(missing('formula', text)).toEqual(paths);
  });

  it.each([
    ['{{ .receive.body.nmae }}', ['receive.body.nmae']],
    ['{{ receive.body.nmae.first | upcase }}', ['receive.body.nmae']],
    ['{{ .receive.body.name }}{{ .receive.body.empty }}{{ .receive.body.none }}', []],
    ['{{ .receive.body.items[1].id }}', ['receive.body.items[1]']],
    ['{{ .receive.body["odd key"] }}{{ .receive.body["odder key"] }}', ['receive.body["odder key"]']],
    ['{{ .receive.body.items.first.id }}{{ .receive.body.first }}{{ .receive.body.items.size }}', []],
    ['{% assign x = .receive.body %}{{ x.nmae }}{{ x }}', []],
    ['{% for row in .receive.rows %}{{ row.id }}{{ forloop.index }}{% endfor %}', ['receive.rows']],
    ['{{ RESOURCE.a.b }}{{ CREDENTIAL.c }}{{ META.story.name }}{{ . }}', []],
    ['{{ .receive.a | append: .receive.b }}', ['receive.a', 'receive.b']],
    ['{{ "x" | append }', []],
  ])('Liquid: %s', (text, paths) => {
    expect(missing('liquid', text)).toEqual(paths);
  });

  it.each([
    ['{{ .receive.a | default: .receive.b }}', ['receive.a?', 'receive.b?']],
    [
      '{% if .receive.a %}{{ .receive.b }}{% endif %}{{ .receive.c }}',
      ['receive.a?', 'receive.b?', 'receive.c'],
    ],
    ['{% case .receive.a %}{% when 1 %}{{ .receive.b }}{% endcase %}', ['receive.a?', 'receive.b?']],
    ['{% for x in .receive.body.items %}{% unless .receive.a %}1{% endunless %}{% endfor %}', ['receive.a?']],
    ['{% assign x = .receive.a | default: 1 %}{{ .receive.a }}', ['receive.a']],
  ])('Liquid: what a condition or default guards is marked: %s', (text, paths) => {
    expect(missing('liquid', text)).toEqual(paths);
  });

  it('are named with their position', () => {
    expect(at('formula', 'a\n<<receive.a>> <<receive.b>>')).toEqual([
      [2, 3],
      [2, 17],
    ]);
    expect(at('liquid', 'a\nbc{{ .receive.a }}')).toEqual([[2, 3]]);
  });

  it('are no names that other texts of the action set', () => {
    expect(missing('liquid', '{{ total }}')).toEqual(['total']);
    expect(missing('liquid', '{{ total }}', ['total'])).toEqual([]);
  });

  it('are at most twenty, short, and found in no time that grows with the square of a path', () => {
    const many = Array.from({ length: 50 }, (_, index) => `<<receive.x${index}>>`).join('');
    expect(missing('formula', many)).toHaveLength(20);
    expect(missing('formula', `=receive["${'k'.repeat(5_000)}"]`)[0]!.length).toBeLessThan(250);
    const { steps } = languages.formula.paths(`=receive${'.x'.repeat(20_000)}`)[0]!;
    expect(steps).toHaveLength(20_001);
  });
});
