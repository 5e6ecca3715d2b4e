import * as fc from 'fast-check';
import { createLanguages } from '../../src/language/languages.js';
import { renamedReferences, splicedText } from '../../src/language/mentions/renamed-references.js';
import type { TemplateLanguage } from '../../src/language/template.js';

const languages = createLanguages();
const RENAMING = { from: 'ask', to: 'asked_again' };

/** The text with the places renamed, or why it cannot be. */
function renamed(name: TemplateLanguage['name'], text: string, renaming = RENAMING): string {
  const places = renamedReferences(text, renaming, languages[name]);
  return Array.isArray(places) ? splicedText(text, places, renaming) : places;
}

describe('a renamed reference in Liquid', () => {
  it.each([
    [
      '{{ask.x}}{{ .ask.x }}{{-  .ask . x -}}',
      '{{asked_again.x}}{{ .asked_again.x }}{{-  .asked_again . x -}}',
    ],
    ['{{ ["ask"].x }}{{ .[\'ask\']["y"] }}', '{{ ["asked_again"].x }}{{ .[\'asked_again\']["y"] }}'],
    ['{{ \\"a\\" | append: ask.x }}', '{{ \\"a\\" | append: asked_again.x }}'],
    ['{{ .a[ask.key] | append: .ask, "ask" }}', '{{ .a[asked_again.key] | append: .asked_again, "ask" }}'],
    [
      '{% for x in ask.list limit: ask.n %}{{ x.ask }}{% endfor %}',
      '{% for x in asked_again.list limit: asked_again.n %}{{ x.ask }}{% endfor %}',
    ],
    [
      '{% tablerow x in (1..ask.n) %}{{x}}{% endtablerow %}',
      '{% tablerow x in (1..asked_again.n) %}{{x}}{% endtablerow %}',
    ],
    [
      '{% assign y = .ask.a | where: "ask", ask.b %}{% if ask.c == "ask" and y contains .ask.d %}{% endif %}',
      '{% assign y = .asked_again.a | where: "ask", asked_again.b %}{% if asked_again.c == "ask" and y contains .asked_again.d %}{% endif %}',
    ],
    [
      '{% case ask.x %}{% when ask.y or 2 %}{% endcase %}{% unless ask %}{% elsif ask %}{% endunless %}',
      '{% case asked_again.x %}{% when asked_again.y or 2 %}{% endcase %}{% unless asked_again %}{% elsif asked_again %}{% endunless %}',
    ],
    [
      '{% regex_replace ask.pattern in %}{{ ask.text }}{% with %}{{ match[0] }}{{ask.by}}{% endregex_replace %}{{ask.z}}',
      '{% regex_replace asked_again.pattern in %}{{ asked_again.text }}{% with %}{{ match[0] }}{{asked_again.by}}{% endregex_replace %}{{asked_again.z}}',
    ],
    [
      '{% liquid\n assign z = ask.x\n echo ask.y %}',
      '{% liquid\n assign z = asked_again.x\n echo asked_again.y %}',
    ],
    ['{% cycle ask.x: "ask", ask.y %}', '{% cycle asked_again.x: "ask", asked_again.y %}'],
  ])('is found in %s', (text, wanted) => {
    expect(renamed('liquid', text)).toBe(wanted);
  });

  it.each([
    'ask {{ ask2.x }}{{ .task.y }}{{ b.ask }}{{ "ask" }}{{ ask-x }}{{ b["ask"] }}',
    '{% raw %}{{ ask.x }}{% endraw %}{% comment %}{{ ask.x }}{% endcomment %}',
    '{% assign ask = 1 %}{{ ask }}{{ .ask.x }}',
    '{% for ask in .list %}{{ ask.x }}{% endfor %}',
    '{% capture ask %}x{% endcapture %}{{ ask }}',
    '{% credential ask %}{% story ask %}{% global_resource ask %}{% prompt ask %}',
    '{{ RESOURCE.ask }}{{ INPUT.ask }}{{ x | ask: ask: 1 }}',
  ])('is none in %s', (text) => {
    expect(renamed('liquid', text)).toBe(text);
  });

  it('is one until a variable of the text takes its name', () => {
    expect(renamed('liquid', '{{ ask.a }}{% assign ask = ask.b %}{{ ask.c }}')).toBe(
      '{{ asked_again.a }}{% assign ask = asked_again.b %}{{ ask.c }}',
    );
    expect(renamed('liquid', '{% for ask in ask.list %}{{ ask }}{% endfor %}{{ ask.n }}')).toBe(
      '{% for ask in asked_again.list %}{{ ask }}{% endfor %}{{ asked_again.n }}',
    );
  });

  it('may have the name of a tag', () => {
    const text = '{% if .if.x %}{% story if %}{{ if.y }}{% endif %}';
    expect(renamed('liquid', text, { from: 'if', to: 'whether' })).toBe(
      '{% if .whether.x %}{% story if %}{{ whether.y }}{% endif %}',
    );
  });
});

describe('a renamed reference in a formula', () => {
  it.each([
    ['=ask.x', '=asked_again.x'],
    ['  = .ask["ask"] & "ask" & ask2', '  = .asked_again["ask"] & "ask" & ask2'],
    ['a <<ask.x>> ask << b.ask >>', 'a <<asked_again.x>> ask << b.ask >>'],
    [
      '<%if ask.a%><<ask.b>><%elsif ask.c%><%endif%>',
      '<%if asked_again.a%><<asked_again.b>><%elsif asked_again.c%><%endif%>',
    ],
    [
      '=MAP(ask.list, LAMBDA(ask, ask.x)) |> FIRST(%) & ask.y',
      '=MAP(asked_again.list, LAMBDA(ask, ask.x)) |> FIRST(%) & asked_again.y',
    ],
    [
      '<% for ask in ask.list %><<ask>><% endfor %><<ask.n>>',
      '<% for ask in asked_again.list %><<ask>><% endfor %><<asked_again.n>>',
    ],
    [
      '={ask: ask.x, "ask": [ask, -ask.n, !ask.b], a: a[ask.i]}',
      '={ask: asked_again.x, "ask": [asked_again, -asked_again.n, !asked_again.b], a: a[asked_again.i]}',
    ],
    [
      '=LIQUID_SIZE(ask.x, "dot_notation") > 0 AND NOT ask',
      '=LIQUID_SIZE(asked_again.x, "dot_notation") > 0 AND NOT asked_again',
    ],
    [
      '=RESOURCE.ask & STORY.ask & LOCAL.ask & RESOURCE[ask.x]',
      '=RESOURCE.ask & STORY.ask & LOCAL.ask & RESOURCE[asked_again.x]',
    ],
  ])('is found in %s', (text, wanted) => {
    expect(renamed('formula', text)).toBe(wanted);
  });
});

it.each([
  ['liquid', '{% assign x = .ask %}{{ x }}{{ .ask }}', 'x', 'taken'],
  ['liquid', '{% for x in .list %}{{ ask.a }}{% endfor %}', 'x', 'taken'],
  ['formula', '=MAP(list, LAMBDA(x, x & ask.a))', 'x', 'taken'],
  ['formula', '=ask.a', '1st', 'taken'],
  ['formula', '=ask.a', 'true', 'taken'],
  ['formula', '=ask.a', '', 'taken'],
  ['liquid', '{{ ask }}', '404', 'taken'],
  ['liquid', '{% if ask.a %}', 'x', 'unreadable'],
  ['formula', '=ask.a +', 'x', 'unreadable'],
] as const)('a reference that would become another is not renamed: %s %s', (name, text, to, why) => {
  expect(renamed(name, text, { from: 'ask', to })).toBe(why);
});

describe('there and back', () => {
  const spaces = fc.constantFrom('', ' ', '\n');
  const piece = (pieces: string[]) =>
    fc.tuple(
      fc.constantFrom(...pieces),
      spaces,
      fc.constantFrom('ask', 'b.ask', '"ask"', 'ask2', '.ask[ask.x]', "a['ask']"),
    );
  const LIQUID = [
    '{{-~}}',
    '{{~| append: ask}}',
    '{% if~%}x{% endif %}',
    '{% assign y =~%}{{ y }}',
    '{% for ask in~%}{{ ask }}{% endfor %}',
    '{% assign ask =~%}',
  ];
  const FORMULA = [
    '<<~>>',
    '<<~& ask.y>>',
    '<%if~%>x<%endif%>',
    '<%for ask in~%><<ask>><%endfor%>',
    '<<MAP(ask, LAMBDA(ask, [~]))>>',
  ];
  it.each([
    ['liquid', LIQUID],
    ['formula', FORMULA],
  ] as const)('a text in %s is what it was, and nothing else differs between', (name, pieces) => {
    let renamedTexts = 0;
    fc.assert(
      fc.property(fc.array(piece([...pieces]), { minLength: 1, maxLength: 6 }), (parts) => {
        const text = parts
          .map(([form, space, path]) => `ask ${form.replace('~', `${space} ${path}${space} `)}`)
          .join(' ');
        const there = renamed(name, text);
        expect(['taken', 'unreadable']).not.toContain(there);
        if (there !== text) renamedTexts += 1;
        expect(there.replaceAll('asked_again', 'ask')).toBe(text);
        expect(renamed(name, there, { from: 'asked_again', to: 'ask' })).toBe(text);
        expect(languages[name].placesOf(there, 'ask')).toEqual([]);
      }),
      { numRuns: 300 },
    );
    expect(renamedTexts).toBeGreaterThan(100);
  });
});
