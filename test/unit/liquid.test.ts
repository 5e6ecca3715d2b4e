import * as fc from 'fast-check';
import { createLiquidLanguage } from '../../src/language/liquid/liquid-language.js';
import type { TemplateScope } from '../../src/language/template.js';
import { TemplateError } from '../../src/platform/text/template-error.js';
import type { JsonValue } from '../../src/platform/json.js';

const language = createLiquidLanguage();

const scope: TemplateScope = {
  event: {
    read: {
      status: 200,
      body: {
        items: [
          { name: 'a', n: 1 },
          { name: 'b', n: 2 },
        ],
        empty: '',
        nothing: null,
        yes: true,
        text: 'hello',
        number: '5',
        'odd key - ': 'odd',
        '@odata.nextLink': 'next',
        'kebab-key': 'kebab',
      },
      '#agent_id': 7,
    },
    headers: [
      { name: 'A', value: 'dkim=pass spf=fail' },
      { name: 'B', value: 'x' },
    ],
    results: { one: { category: 'ok' }, two: { category: 'bad' } },
    which: 'read',
  },
  resources: new Map<string, JsonValue>([
    ['lang', 'en'],
    ['list', ['x', 'y']],
    ['team mail@example.test', 'mail'],
    ['settings', { deep: { key: 'v' } }],
  ]),
  credentials: new Map([
    ['jira', 's3cret-jira'],
    ['URLScan.io', 's3cret-scan'],
    ['urlscan_io', 's3cret-scan'],
    ['with spaces', 's3cret-spaces'],
  ]),
  stories: new Map<string, JsonValue>([
    ['[Example] STS Search', 12],
    ['sts_search', 12],
  ]),
  meta: { tenant: { domain: 'acme.example' }, story: { id: 4, name: 'Story' } },
  storyRunGuid: 'run-guid',
};

const render = (text: string) => language.render(text, scope);
const renderValue = (text: string) => language.render(text, scope, { asValue: true });

const promptLink = (name: string) => `/p/${name}`;

describe('references', () => {
  it.each([
    ['{{ .read.status }}', '200'],
    ['{{read.status}}', '200'],
    ['{{.read.body.items[0].name}}', 'a'],
    ['{{.read.body.items.first.name}}{{.read.body.items.last.name}}', 'ab'],
    ['{{.read.body.items.size}} {{ .read.body.text.size }}', '2 5'],
    ['{{ .read.body["odd key - "] }}', 'odd'],
    ["{{ .read.['#agent_id'] }}", '7'],
    ["{{ .read.body.['@odata.nextLink'] }}", 'next'],
    ['{{ .read.#agent_id }}', '7'],
    ['{{ .read.body.kebab-key }}', 'kebab'],
    ['{{ .["read"].status }}', '200'],
    ['{{ ["read"].status }}', '200'],
    ['{{ [which].status }}', '200'],
    ['{{.read.status.}}', '200'],
    ['{{ ..read..status }}', '200'],
    ['{{ \n.read.status\n }}', '200'],
    ['{{ .read.body.items[-1].n }}', '2'],
    ['{{ .read.body.items[*].n }}', ''],
    ['{{ .missing.path.deep }}|{{ .read.body.nothing }}|{{ .read.body.empty }}', '||'],
    ['{{ }}{{-}}', ''],
    ['{{ .headers | where:\\"name\\",\\"A\\" | size }}', '1'],
    ['{{ .read.body.text | replace: "l", "}}" }}', 'he}}}}o'],
    ["{{ .read.body.text's }} it's {{ .read.status }}", "hello it's 200"],
    ['{{ .read.status | plus: {{ .read.body.number }} }}', '205'],
    ["{{ \"it's\" }} {{ 'a\\.b' }}", "it's a\\.b"],
    ['{{ .read.body.yes }} {{ true }} {{ nil }} {{ 1.50 }}', 'true true  1.5'],
  ])('%s gives %j', (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  it('reaches own properties only', () => {
    expect(render('{{ read.constructor }}{{ read.__proto__ }}{{ read.body.text.toString }}')).toBe('');
    expect(render('{{ RESOURCE.constructor }}{{ RESOURCE.__proto__.find }}')).toBe('');
  });

  it('shows lists and objects inside text as JSON', () => {
    expect(render('x {{ .read.body.items }}')).toBe('x [{"name":"a","n":1},{"name":"b","n":2}]');
    expect(render('{% capture c %}{{ .RESOURCE.settings }}{% endcapture %}{{ c }}')).toBe(
      '{"deep":{"key":"v"}}',
    );
  });

  it('leaves text without templates, and the other language’s marks, as they are', () => {
    expect(render('plain } text %} <<a.b>> =UPCASE(x)')).toBe('plain } text %} <<a.b>> =UPCASE(x)');
    expect(language.isTemplate('= a <<b>>')).toBe(false);
  });
});

describe('values', () => {
  it.each<[string, JsonValue]>([
    [
      '{{ .read.body.items | as_object }}',
      [
        { name: 'a', n: 1 },
        { name: 'b', n: 2 },
      ],
    ],
    ['{{ .read.status | as_object }}', 200],
    ['{{ .read.body.yes | s_object }}', true],
    ['{{ .missing | as_object }}', null],
    ['\n {% assign x = .RESOURCE.list %}{{ x | as_object }}\n', ['x', 'y']],
    ['{% if true %}{{ .RESOURCE.list | as_object }}{% endif %}', ['x', 'y']],
    ['{% capture j %}[1, {{ .read.status }}]{% endcapture %}{{ j | json_parse | as_object }}', [1, 200]],
    ['list: {{ .RESOURCE.list | as_object }}', 'list: ["x","y"]'],
    ['{{ .RESOURCE.list | as_object | join: "-" }}', 'x-y'],
    ['{{ . | as_object }}', scope.event],
    ['{% assign x = .RESOURCE.list | as_object %}{{ x.first }}', 'x'],
    ['{% echo .RESOURCE.list | as_object %}', ['x', 'y']],
  ])('%s gives %j', (text, expected) => {
    expect(render(text)).toEqual(expected);
  });

  it.each<[string, JsonValue]>([
    [
      '{{ .read.body.items }}',
      [
        { name: 'a', n: 1 },
        { name: 'b', n: 2 },
      ],
    ],
    [' {{ .read.status }} ', 200],
    ['{{ .missing }}', null],
    ['{{ .read.body.items | map: "n" }}', [1, 2]],
    ['{{ .read.body.text }}', 'hello'],
    ['[{{ .read.status }}, "x"]', [200, 'x']],
    ['{"a": {{ .read.status }} }', { a: 200 }],
    ['[1, 2]', [1, 2]],
    ['[not json', '[not json'],
    ['5', '5'],
    ['x{{ .read.status }}', 'x200'],
  ])('as a value, %s gives %j', (text, expected) => {
    expect(renderValue(text)).toEqual(expected);
  });
});

describe('roots and tags of stories', () => {
  it.each([
    ['{{ .RESOURCE.lang }} {{ RESOURCE.settings.deep.key }}', 'en v'],
    ['{{ .CREDENTIAL.jira }} {{ CREDENTIAL["URLScan.io"] }}', 's3cret-jira s3cret-scan'],
    ['{% credential jira %}', 's3cret-jira'],
    ['{%credential URLScan.io%}', 's3cret-scan'],
    ['{% credential with spaces %}', 's3cret-spaces'],
    ['{% credential "with spaces" %}', 's3cret-spaces'],
    ['{% global_resource team mail@example.test %}', 'mail'],
    ['{% global_resource list %}', '["x","y"]'],
    ['a{% global_resource unknown %}{{ .RESOURCE.unknown }}b', 'ab'],
    ['{% story [Example] STS Search %} {{ .STORY.sts_search }}', '12 12'],
    ['{{ .STORY.our_team.sts_search }} {{ STORY["Our team"]["sts_search"] }}', '12 12'],
    ['{{ .STORY.sts_search.sts_search }}|{{ .STORY.our_team.sts_search.id }}', '|'],
    ['{% if .STORY.our_team.sts_search == 12 %}yes{% endif %}', 'yes'],
    ["{% global_resource Bob's %} it's {% story_run_guid %}", " it's run-guid"],
    ['{% story_run_guid %}', 'run-guid'],
    ['{% story_run_link  %}', 'https://acme.example/stories/4/runs/run-guid'],
    ['{{ META.story.name }} {{ .META.tenant.domain }}', 'Story acme.example'],
    ['a{% line_break%}b', 'a\nb'],
  ])('%s gives %j', (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  it.each([
    ['{% credential nope %}', 'This team has no credential "nope" (line 1, column 1)'],
    ['a\n {{ .CREDENTIAL.nope }}', 'This team has no credential "nope" (line 2, column 2)'],
    ['{% story nope %}', 'This team has no story "nope" (line 1, column 1)'],
    ['{{ .STORY.nope }}', 'This team has no story "nope" (line 1, column 1)'],
    ['{{ .STORY.nope | upcase }}', 'This team has no story "nope"'],
    ['{% if .STORY.nope %}x{% endif %}', 'This team has no story "nope"'],
    ['{{ .STORY.nope | as_object }}', 'This team has no story "nope"'],
    ['{{ .STORY.team.nope }}', 'This team has no story "team.nope" (line 1, column 1)'],
    [
      '{% prompt hunt %}',
      'The prompt "hunt" cannot be created: only a running action creates prompts (line 1, column 1)',
    ],
  ])('%s fails: %s', (text, message) => {
    expect(() => render(text)).toThrow(message);
  });

  it('does not look at a credential in a branch that is not taken', () => {
    expect(render('{% if false %}{% credential nope %}{% endif %}ok')).toBe('ok');
  });

  it('makes prompt links with the function of its scope', () => {
    expect(language.render('{%prompt escalate%}', { ...scope, prompt: promptLink })).toBe('/p/escalate');
    expect(language.render('{% prompt "so be it" %}', { ...scope, prompt: promptLink })).toBe('/p/so be it');
  });

  it('takes the link of the run from META when it is there', () => {
    const meta = { story_run: { link: 'https://x.example/r/1' } };
    expect(language.render('{% story_run_link %}', { ...scope, meta })).toBe('https://x.example/r/1');
  });
});

describe('standard tags', () => {
  it.each([
    ['{% if .read.status == 200 and .read.body.yes %}y{% else %}n{% endif %}', 'y'],
    ['{% if .missing %}y{% elsif .read.status >= 500 %}e{% else %}n{% endif %}', 'n'],
    ['{% if .read.body.number > 4 %}y{% endif %}', 'y'],
    ['{% if .missing <= 10 %}y{% else %}n{% endif %}', 'n'],
    ['{% if .read.body.text <> "hello" %}y{% else %}n{% endif %}', 'n'],
    ['{% if .read.body.text = "hello" %}y{% endif %}', 'y'],
    ['{% if .read.body.empty == blank %}y{% endif %}', 'y'],
    ['{% if nil == blank and blank == null %}y{% endif %}{% if nil == empty %}n{% endif %}', 'y'],
    ['{% if .read.body.text contains "ell" %}y{% endif %}', 'y'],
    ['{% if .RESOURCE.list contains "y" %}y{% endif %}', 'y'],
    ['{% if .read.body contains "text" %}y{% endif %}', 'y'],
    ['{% if .read.body.text == {{.read.body.text}} %}y{% endif %}', 'y'],
    ['{% if .headers | where:"name","A" contains "spf=fail" %}y{% endif %}', 'y'],
    ['{% if .headers | where:"name","A" contains "spf=pass" %}y{% else %}n{% endif %}', 'n'],
    ['{% if .headers | size > 1 and .read.body.text | upcase == "HELLO" %}y{% endif %}', 'y'],
    ['{% if .read.body.text contains "x" .read.body.text contains "h" %}y{% else %}n{% endif %}', 'n'],
    ['{% unless .missing %}y{% endunless %}', 'y'],
    ['{% case .read.status %}{% when 404, 200 %}a{% else %}b{% endcase %}', 'a'],
    [
      '{% for i in .read.body.items %}{{ i.name }}{% if forloop.last != true %},{% endif %}{% endfor %}',
      'a,b',
    ],
    ['{% for r in .results %}{{ r[0] }}={{ r[1].category }};{% endfor %}', 'one=ok;two=bad;'],
    ['{% for i in .missing %}x{% else %}none{% endfor %}', 'none'],
    ['{% for h in .headers | where: "name", "B" limit: 1 %}{{ h.value }}{% endfor %}', 'x'],
    ['{% for i in (1..3) reversed %}{{ i }}{% endfor %}', '321'],
    ['{% for i in .read.body.items limit:1 offset:1 %}{{ i.name }}{% endfor %}', 'b'],
    ['{% assign k = .headers | map: "name" %}{{ k[1] }}', 'B'],
    ['{% capture duo-key %}k{{ .read.status }}{% endcapture %}{{ duo-key }}', 'k200'],
    ['{% increment i %}{% increment i %}{% decrement i %}', '011'],
    ['{% for i in (1..4) %}{% cycle "a", "b" %}{% endfor %}', 'abab'],
    ['{% comment %}{{ broken | {% endcomment %}x', 'x'],
    ['{% raw %}{{ .read.["x"] }}{% endraw %}', '{{ .read.["x"] }}'],
    ['{% liquid\nassign a = .read.status | plus: 1\necho a\n%}', '201'],
    ['a {{- .read.status -}} b {%- if true -%} c {%- endif -%}', 'a200bc'],
    ['{% # a comment %}x', 'x'],
    ['{% for i in (1..9) %}{% if i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}', '12'],
  ])('%s gives %j', (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  it.each(['include "x"', 'render "x"', 'layout "x"', 'block x', 'nonsense'])(
    'knows no tag {%% %s %%}',
    (tag) => {
      expect(() => render(`{% ${tag} %}`)).toThrow(/tag "\w+" not found/);
    },
  );

  it('keeps variables for later texts when they share them', () => {
    const variables = {};
    language.render('{% capture all %}true{% endcapture %}', scope, { variables });
    const later = '{% if all contains "true" %}bad{% else %}good{% endif %}';
    expect(language.render(later, scope, { variables })).toBe('bad');
    expect(language.render(later, scope)).toBe('good');
  });

  it('leaves plain numbers in them', () => {
    const variables = {};
    language.render('{% assign two = 2.0 %}', scope, { variables });
    expect(variables).toStrictEqual({ two: 2 });
    expect(language.render('{{ two }}', scope, { variables, asValue: true })).toBe(2);
  });

  it('changes nothing in the event', () => {
    const before = JSON.stringify(scope.event);
    render('{% increment which %}{% assign read = 1 %}{{ .headers | push: 1 | reverse | sort }}');
    expect(JSON.stringify(scope.event)).toBe(before);
  });
});

describe('check', () => {
  it.each([
    ['{{ .a | upcase }}', []],
    [
      '{{ .a | nonsense | upcase }}',
      [
        {
          message: 'Unknown filter "nonsense": the value is unchanged',
          line: 1,
          column: 1,
          harmless: true,
        },
      ],
    ],
    [
      'ok\n  {% if .a | nonsense %}{% endif %}',
      [
        {
          message: 'Unknown filter "nonsense": the value is unchanged',
          line: 2,
          column: 3,
          harmless: true,
        },
      ],
    ],
    ['a\nb {% unknown %}', [{ message: 'tag "unknown" not found', line: 2, column: 3 }]],
    ['{{.a..b}} {% if x %}', [{ message: 'tag {% if x %} not closed', line: 1, column: 11 }]],
  ])('%s has the problems %j', (text, problems) => {
    expect(language.check(text)).toEqual(problems);
  });

  it('reports what is not closed, and a render of it fails', () => {
    expect(language.check('x {{ .a')).toEqual([expect.objectContaining({ line: 1, column: 3 })]);
    expect(() => render('x {{ .a')).toThrow(TemplateError);
  });

  it('leaves a value unchanged by an unknown filter', () => {
    expect(render('{{ .read.status | nonsense: 1, 2 }}')).toBe('200');
  });
});

const fragments = [
  '{{',
  '}}',
  '{%',
  '%}',
  '{%-',
  '-}}',
  ' ',
  '.',
  '..',
  'read',
  'body',
  '[',
  ']',
  '"',
  "'",
  '|',
  ':',
  ',',
  '\\',
  '\n',
  'if',
  'endif',
  'for',
  'in',
  'endfor',
  'raw',
  'endraw',
  'capture',
  'liquid',
  'as_object',
  'where',
  'split',
  'date',
  '(',
  ')',
  '==',
  '=',
  'contains',
  'and',
  '1',
  '-',
  '#',
  '*',
  'x',
  '{',
  '}',
  '%',
  '__proto__',
  'comment',
  'assign',
];

describe('any text', () => {
  it('renders or fails with a TemplateError', () => {
    const text = fc.array(fc.constantFrom(...fragments), { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), fc.boolean(), (source, asValue) => {
        expect(Array.isArray(language.check(source))).toBe(true);
        try {
          language.render(source, scope, { asValue });
        } catch (error) {
          expect(error).toBeInstanceOf(TemplateError);
        }
      }),
      { numRuns: 1500 },
    );
  });
});
