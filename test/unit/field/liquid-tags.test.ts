import { renderLiquid } from '../../support/render-liquid.js';

const event = {
  l: [1, 2, 3],
  ls: ['b', 'a', 'a'],
  o: { a: 1, b: 'x' },
  no: false,
  text: 'abc',
  foo: { bar: 7 },
};

const cases = (table: [string, string][]) =>
  it.each(table)('%j gives %j', (text, expected) => {
    expect(renderLiquid(text, event)).toBe(expected);
  });

describe('A17: a loop knows the loop around it', () => {
  cases([
    [
      '{% for i in (1..2) %}{% for j in (1..2) %}{{ forloop.parentloop.index }}.{{ forloop.index }} {% endfor %}{% endfor %}',
      '1.1 1.2 2.1 2.2 ',
    ],
    [
      '{% for i in l %}{% for j in l %}{% if forloop.parentloop.last %}{{ j }}{% endif %}{% endfor %}{% endfor %}',
      '123',
    ],
    [
      '{% for a in (1..2) %}{% for b in (1..2) %}{% for c in (1..1) %}{{ forloop.parentloop.parentloop.rindex }}{% endfor %}{% endfor %}{% endfor %}',
      '2211',
    ],
    ['{% for i in l %}{{ forloop.parentloop.index }},{% endfor %}', ',,,'],
    ['{% for i in l %}{% for j in o %}{% endfor %}{{ forloop.index }}{% endfor %}', '123'],
    ['{% for i in l %}{{ forloop.name }} {{ forloop.length }};{% break %}{% endfor %}', 'i-l 3;'],
  ]);
});

describe('C9: a block that holds white space only shows nothing', () => {
  cases([
    ['!{% if true %}\n\n{% assign a = 1 %}\n{% endif %}!', '!!'],
    ['!{% unless no %} {% capture a %} x {% endcapture %} {% endunless %}!', '!!'],
    ['!{% for i in l %}\n{% endfor %}!', '!!'],
    ['!{% for i in missing %} x {% else %} {% endfor %}!', '! !'],
    ['!{% case 1 %} {% when 1 %}\n{% comment %} c {% endcomment %}\n{% endcase %}!', '!!'],
    ['!{% if no %} x {% else %} {% endif %}!', '! !'],
    ['!{% if true %} {% if true %} {% assign a = 2 %} {% endif %} {% endif %}!{{ a }}', '!!2'],
    [
      '!{% if true %} {% # note %} {% liquid\nassign b = 3 %} {% raw %}{% endraw %} {% endif %}!{{ b }}',
      '!!3',
    ],
    ['!{% if true %} {{ missing }} {% endif %}!', '!  !'],
    ['!{% if true %} {% increment n %} {% endif %}!', '! 0 !'],
    ['!{% for i in l %} {% if i == 2 %} {% continue %} {% endif %} {% endfor %}!', '!      !'],
    ['!{% if true %}\u00a0{% endif %}!', '!\u00a0!'],
    ['{% capture a %} {% endcapture %}[{{ a }}]', '[ ]'],
    ['{% assign a = 1 %}\n{% assign b = 2 %}\n{{ a }}', '\n\n1'],
  ]);
});

describe('C17: white space round a dot does not end a reference', () => {
  cases([
    ['{{ foo .bar }} {{ foo. bar }} {{ foo . bar }}', '7 7 7'],
    ["{{ ['foo'] ['bar'] }} {{ foo ['bar'] }} {{ ['foo'] .bar }}", '7 7 7'],
    ['{{ foo\n  .bar\n  | plus: 1 }}', '8'],
    ['{% if foo . bar == 7 %}y{% endif %}', 'y'],
    ['{% assign x = foo . bar %}{{ x }}', '7'],
    ['{% if .no or .foo .bar == 7 and .text contains .ls[1] %}y{% endif %}', 'y'],
    ['{% for i in .l limit: .foo .bar %}{{ i }}{% endfor %}', '123'],
    ['{% for i in .l reversed %}{{ i }}{% endfor %}', '321'],
    ['{{ missing | default .text }}', 'abc'],
  ]);
});

describe('C18: what Ruby takes is not refused', () => {
  cases([
    ['a {%- raw -%} {{ x }} {%- endraw -%} b', 'a {{ x }} b'],
    ['{% raw %} {{ x }} {%- endraw %} b', ' {{ x }}  b'],
    ['{% raw %}{% if %}{%endraw-%} b', '{% if %}b'],
    ['{% comment %}a{% comment %}b{% endcomment %}c{% endcomment %}d', 'd'],
    ['{% comment %}{% raw %}{% endcomment %}{% endraw %}{% endcomment %}d', 'd'],
    ['{% comment %}{% raw %}{% endcomment %}d', 'd'],
    ['{% comment x %}a{% endcomment y %}d', 'd'],
    ['{% liquid\ncomment\ncomment\nx\nendcomment\nendcomment\necho 1 %}', '1'],
    ['{% doc %} @param {% if %} {% enddoc %}d', 'd'],
    ['{% if no %}a{% else if x %}b{% endif %}', 'b'],
    ['{% if no %}a{% else anything %}b{% endif %}', 'b'],
    ['{% if no %}a{% else %}b{% else %}c{% endif %}', 'b'],
    ['{% if no %}a{% else %}b{% elsif true %}c{% else %}d{% endif %}', 'b'],
    ['{% unless true %}a{% else x %}b{% else %}c{% endunless %}', 'b'],
    ['{% if true %}a{% endif x %}', 'a'],
    ['{% for i in missing %}a{% else x %}b{% endfor %}', 'b'],
    ['{{ text ! }}', 'abc'],
    ['{% for i in (1...3) %}{{ i }}{% endfor %}', '123'],
    ['{% assign x = %}[{{ x }}]', '[]'],
  ]);

  it('still refuses a block that is not closed', () => {
    expect(() => renderLiquid('{% comment %}{% comment %}{% endcomment %}')).toThrow('not closed');
    expect(() => renderLiquid('{% if true %}a')).toThrow('not closed');
  });
});

describe('A23: tags of the standard that were missing', () => {
  cases([
    ['{% for i in ls %}{% ifchanged %}{{ i }}{% endifchanged %}{% endfor %}', 'ba'],
    ['{% ifchanged %}a{% endifchanged %}{% ifchanged %}a{% endifchanged %}', 'a'],
    [
      '{% tablerow i in l cols: 2 %}{{ i }}{% endtablerow %}',
      '<tr class="row1">\n<td class="col1">1</td><td class="col2">2</td></tr>\n<tr class="row2"><td class="col1">3</td></tr>\n',
    ],
    [
      '{% tablerow i in l limit: 1 offset: 1 %}{{ tablerowloop.index }}{{ tablerowloop.col_last }}{% endtablerow %}',
      '<tr class="row1">\n<td class="col1">1true</td></tr>\n',
    ],
    ['{% tablerow i in missing %}x{% endtablerow %}', ''],
    ['{% tablerow i in l %}{% break %}{% endtablerow %}', '<tr class="row1">\n<td class="col1"></td></tr>\n'],
  ]);
});

describe('C26: loops, ranges, cycle and case as in Ruby', () => {
  cases([
    ['{% cycle g: "a", "b" %}{% cycle g: "x", "y" %}{% cycle g: "a", "b" %}', 'aya'],
    ['{% cycle "a", "b" %}{% cycle "x", "y" %}{%cycle "a" , "b"%}', 'axb'],
    ['{% case 5 %}{% when 5 %}a{% when 5 %}b{% else %}c{% endcase %}', 'ab'],
    ['{% case 5 %}{% when 1, 5 or 6 %}a{% else %}c{% endcase %}', 'a'],
    ['{% case 5 %}{% else %}c{% when 5 %}a{% else %}d{% endcase %}', 'ca'],
    ['{% for i in (1.4..3) %}{{ i }}{% endfor %}', '123'],
    ['{% for i in ("foo"..2) %}{{ i }}{% endfor %}', '012'],
    ['{% for i in (l.first..l.size) reversed %}{{ i }}{% endfor %}', '321'],
    [
      '{% for i in l limit: 1 %}{{ i }}{% endfor %}-{% for i in l offset: continue %}{{ i }}{% endfor %}',
      '1-23',
    ],
    ['{% for i in l offset: 9 %}x{% else %}none{% endfor %}', 'none'],
    ['{% for p in o reversed %}{{ p[0] }}={{ p.last }};{% endfor %}', 'b=x;a=1;'],
    ['{% for c in text offset: 1 %}{{ c }}{% endfor %}', 'abc'],
  ]);

  it('refuses a limit that is no number', () => {
    expect(() => renderLiquid('{% for i in l limit: "x" %}{% endfor %}', event)).toThrow(
      'limit is "x", which is not a whole number (line 1, column 1)',
    );
  });
});
