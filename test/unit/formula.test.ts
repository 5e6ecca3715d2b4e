import type { JsonObject, JsonValue } from '../../src/platform/json.js';
import { evaluateFormula, isTruthy, parseFormula } from '../../src/language/formula/evaluation/evaluate.js';
import { createFormulaLanguage } from '../../src/language/formula/formula-language.js';
import type { TemplateScope } from '../../src/language/template.js';
import { TemplateError } from '../../src/platform/text/template-error.js';
import type { TemplateProblem } from '../../src/platform/text/template-error.js';

const event: JsonObject = {
  user: { name: 'Ann', tags: ['a', 'b'], 'odd key': 1, age: 30, '@id': 7, group: null },
  rows: [
    { n: 'x', v: 1 },
    { n: 'y', v: 2 },
  ],
  table: [
    ['h1', 'h2'],
    ['1', '2'],
    ['3', '4'],
  ],
  counter: { count: '5' },
  http: { body: { size: 'own', items: [1, 2, 3] }, text: '{"a":[1]}' },
};

const scope: TemplateScope = {
  event,
  resources: new Map<string, JsonValue>([
    ['list', ['r1', 'r2']],
    ['fleet_url', 'https://fleet'],
  ]),
  credentials: new Map([
    ['api key', 's3cret'],
    ['api_key', 's3cret'],
  ]),
  stories: new Map<string, JsonValue>([['sub_story', 12]]),
  meta: { tenant: { domain: 'host' }, story: { name: 'Main' } },
  storyRunGuid: 'run-1',
  prompt: (name) => `https://prompt/${name}`,
};

const language = createFormulaLanguage();
const render = (text: string, asValue = false) => language.render(text, scope, { asValue });
const valueOf = (formula: string) => render(`=${formula}`);

function failureOf(work: () => unknown): TemplateError {
  try {
    work();
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

describe('operators', () => {
  it.each<[string, JsonValue]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['7 / 2', 3.5],
    ['-7 % 3', 2],
    ['2 - -1', 3],
    ['0.1 + 0.2', 0.3],
    ['1.1 * 3', 3.3],
    ['counter.count + 1', 6],
    ['missing.count + 1', 1],
    ['user.age +1', 31],
    ['"a" & 1 & NULL & [1, {x: 2}]', 'a1[1,{"x":2}]'],
    ['"n: " & 1 + 2', 'n: 3'],
    ['1 = 1', true],
    ['1 == 1', true],
    ['1 <> 2 && 1 != 2', true],
    ['"1" = 1', true],
    ['"01" = 1', true],
    ['"1" = "1.0"', false],
    ['"a" = "A"', false],
    ['TRUE = "true"', false],
    ['missing = NULL', true],
    ['[1, {a: 2}] = [1, {a: 2}]', true],
    ['{a: 1, b: 2} = {b: 2, a: 1}', true],
    ['{a: 1} = {a: 1, b: 2}', false],
    ['2 < 10', true],
    ['"2" < "10"', true],
    ['"b" > "a"', true],
    ['"2024-01-02" > "2024-01-01"', true],
    ['NULL < 1', false],
    ['NULL >= 0', false],
    ['"a" < 1', false],
    ['[1] < [2]', false],
    ['TRUE AND 1 = 1', true],
    ['FALSE || "x"', 'x'],
    ['"x" or "y"', 'x'],
    ['0 && "zero is true"', 'zero is true'],
    ['NOT user.name = "Ann"', false],
    ['!FALSE', true],
    ['NOT(1 = 2) AND TRUE', true],
    ['1 = 2 OR 2 = 2 AND 3 = 4', false],
    ['NOT FALSE OR FALSE', true],
    ['- user.age', -30],
  ])('%s gives %j', (formula, expected) => {
    expect(valueOf(formula)).toEqual(expected);
  });

  it('leave the right side alone where the left one decides', () => {
    expect(valueOf('FALSE && CREDENTIAL.none')).toBe(false);
    expect(valueOf('1 || 1 / 0')).toBe(1);
    expect(valueOf('IF(TRUE, 1, CREDENTIAL.none)')).toBe(1);
  });
});

describe('whole and decimal numbers', () => {
  it.each<[string, JsonValue]>([
    ['DIVIDED_BY(7, 2)', 3],
    ['DIVIDED_BY(-7, 2)', -4],
    ['DIVIDED_BY("7", "2")', 3],
    ['DIVIDED_BY(7.5, 2)', 3.75],
    ['DIVIDED_BY(7, 2.0)', 3.5],
    ['DIVIDED_BY(7, -2.0)', -3.5],
    ['DIVIDED_BY(7.0, (2))', 3.5],
    ['DIVIDED_BY(5, 3.0)', 1.66666666666667],
    ['DIVIDED_BY(5, "2.0")', 2.5],
    ['DIVIDED_BY("5.0", 2)', 2.5],
    ['DIVIDED_BY(6, 2.0)', 3],
    ['DIVIDED_BY(5, user.age * 1.0)', 0.166666666666667],
    ['DIVIDED_BY(45, user.age)', 1],
    ['DIVIDED_BY(TIMES(user.age, 1.0), 4)', 7.5],
    ['DIVIDED_BY(DIVIDED_BY(6, 2.0), 2)', 1.5],
    ['DIVIDED_BY(ABS(0.0 - 7), 2)', 3.5],
    ['DIVIDED_BY(7, SIZE([2.0, 1]))', 3],
    ['DIVIDED_BY(7, INTEGER(2.0))', 3],
    ['DIVIDED_BY(IF(2.0 > 1, 7, 1), 2)', 3],
    ['7 * 1.0 |> DIVIDED_BY(%, 2)', 3.5],
    ['7.0 |> % - 2 |> DIVIDED_BY(%, 2)', 2.5],
    ['7.0 |> [%] |> DIVIDED_BY(7, SIZE(%) + 1)', 3],
    ['7.0 |> DIVIDED_BY((7 |> %), 2)', 3],
    ['MAP_LAMBDA([7, 8], LAMBDA(n, DIVIDED_BY(n, 2.0)))', [3.5, 4]],
    ['2.0', 2],
    ['[1.0, -2.0] = [1, -2]', true],
    ['"n" & 2.0', 'n2'],
  ])('%s gives %j', (formula, expected) => {
    expect(valueOf(formula)).toEqual(expected);
  });

  it('have no quotient with 0', () => {
    expect(() => valueOf('DIVIDED_BY(1, 0.0)')).toThrow('DIVIDED_BY: divided by 0');
  });
});

describe('pipes', () => {
  it.each<[string, JsonValue]>([
    ['"5min" |> REMOVE(%, "min") |> NUMBER(%)', 5],
    ['10 - 4 |> % * 2', 12],
    ['7 |> % % 4', 3],
    ['{days: 3} |> %.days', 3],
    ['(DATE_DIFF("2024-01-01", "2024-06-01") |> %.days) > 90', true],
    ['2 |> MAP_LAMBDA([1, 2], LAMBDA(x, x * %))', [2, 4]],
    ['2 |> [1, (3 |> % + 1), %]', [1, 4, 2]],
  ])('%s gives %j', (formula, expected) => {
    expect(valueOf(formula)).toEqual(expected);
  });
});

describe('references', () => {
  it.each<[string, JsonValue]>([
    ['user.name', 'Ann'],
    ['.user.name', 'Ann'],
    ['user . name', 'Ann'],
    ['user["odd key"]', 1],
    ['user."odd key"', 1],
    ["user['odd key']", 1],
    ['user.@id', 7],
    ['user.tags[0]', 'a'],
    ['user.tags[-1]', 'b'],
    ['user.tags["1"]', 'b'],
    ['user.tags.0', 'a'],
    ['table.1.0', '1'],
    ['table.1.1 & table.2.1', '24'],
    ['user.tags.first', 'a'],
    ['user.tags.last', 'b'],
    ['user.tags.size', 2],
    ['user.name.size', 3],
    ['http.body.size', 'own'],
    ['user[JOIN(["na", "me"], "")]', 'Ann'],
    ['rows[1].n', 'y'],
    ['rows.n', null],
    ['user.tags[7].x.y', null],
    ['nothing.at.all[0]["x"]', null],
    ['user.', { ...(event.user as JsonObject) }],
    ['user..name', 'Ann'],
    ['JSON_PARSE(http.text).a[0]', 1],
    ['{a: [5]}.a[0]', 5],
    ['META.tenant.domain', 'host'],
    ['RESOURCE.list[1]', 'r2'],
    ['RESOURCE["list"].size', 2],
    ['RESOURCE.none', null],
    ['RESOURCE.fleet_url.', 'https://fleet'],
    ['CREDENTIAL.api_key', 's3cret'],
    ['CREDENTIAL["api key"]', 's3cret'],
    ['STORY.sub_story', 12],
    ['STORY.our_team.sub_story', 12],
    ['STORY["Our team"]["sub_story"]', 12],
    ['STORY.sub_story.sub_story', null],
    ['STORY.our_team.sub_story.id', null],
    ['STORY[DOWNCASE("OUR_TEAM")].sub_story', 12],
    ['RESOURCE', null],
    ['STORY_RUN_GUID()', 'run-1'],
    ['PROMPT("yes")', 'https://prompt/yes'],
    ['LOCAL.x', null],
    ['user.__proto__', null],
    ['user.constructor', null],
    ['toString', null],
    ['user.name["length"]', null],
  ])('%s gives %j', (formula, expected) => {
    expect(valueOf(formula)).toEqual(expected);
  });

  it('see the variables of the renderer before the event', () => {
    const variables = { LOCAL: { x: 1 }, LOOP: { key: 'k', value: [2] }, INPUT: { y: 3 } };
    expect(language.render('=LOCAL.x + LOOP.value[0] + INPUT.y', scope, { variables })).toBe(6);
  });
});

describe('literals', () => {
  it.each<[string, JsonValue]>([
    ['12', 12],
    ['1.5e3', 1500],
    ['"a\\n\\t\\"\\\\\\d\\u00e9"', 'a\n\t"\\\\dé'],
    ['\\"escaped as in JSON\\" & 1', 'escaped as in JSON1'],
    ['TRUE', true],
    ['false', false],
    ['null', null],
    ['[]', []],
    ['[1, "a", [TRUE],]', [1, 'a', [true]]],
    ['{}', {}],
    ['{a: 1, "b c": 2, ["d"][0]: 3}', { a: 1, 'b c': 2, d: 3 }],
    ['{__proto__: 1}.x', null],
  ])('%s gives %j', (formula, expected) => {
    expect(valueOf(formula)).toEqual(expected);
  });
});

describe('lambdas', () => {
  it.each<[string, JsonValue]>([
    ['FILTER(rows, LAMBDA(row, row.v > 1))', [{ n: 'y', v: 2 }]],
    ['MAP(rows, LAMBDA(row, index, row.n & index))', ['x0', 'y1']],
    ['MAP_LAMBDA(rows, LAMBDA(r, MAP_LAMBDA([10], LAMBDA(x, x * r.v))))', [[10], [20]]],
    ['MAP([1, 2], LAMBDA(user, user))', [1, 2]],
    ['FILTER({x: 1, y: 2}, LAMBDA(k, v, k = "x"))', { x: 1 }],
    ['FILTER({x: 1, y: 2}, LAMBDA(v, v = 2))', { y: 2 }],
    ['FILTER({x: {n: 1}, y: {}}, "n")', { x: { n: 1 } }],
    ['FILTER([3, 1, 2], [1, 2])', [1, 2]],
    ['FILTER([1, "1", NULL, [1]], ["1", NULL, [1]])', ['1', null, [1]]],
    ['FILTER({x: 1, y: 2}, [2, 4])', { y: 2 }],
    ['FILTER([1], [])', []],
    ['REJECT({x: 1, y: 2}, LAMBDA(k, v, k = "x"))', { y: 2 }],
    ['REJECT({a: 1, b: ""}, LAMBDA(key, value, value = "" || key = "c"))', { a: 1 }],
    ['REJECT({a: 1, b: NULL}, LAMBDA(value, value = NULL))', { a: 1 }],
    ['REJECT([3, 1, 2], [1, 2])', [3]],
    ['REJECT({x: 1, y: 2}, [1])', { y: 2 }],
    ['REJECT(rows, "n", "x")', [{ n: 'y', v: 2 }]],
    ['MAP_LAMBDA({x: 1, y: 2}, LAMBDA(k, v, k & "=" & v))', ['x=1', 'y=2']],
    ['MAP_LAMBDA({x: 1, y: 2}, LAMBDA(v, v * 10))', [10, 20]],
    ['MAP_LAMBDA([5, 6], LAMBDA(x, index, x * index))', [0, 6]],
    ['INDEX_OF(rows, LAMBDA(row, row.v = 2))', 1],
    ['INDEX_OF(rows, LAMBDA(row, row.v = 3))', null],
    ['GROUP_BY(rows, "n")', { x: [{ n: 'x', v: 1 }], y: [{ n: 'y', v: 2 }] }],
    ['GROUP_BY([1, "1", NULL], LAMBDA(x, x))', { 1: [1, '1'], '': [null] }],
    [
      'GROUP_BY([5, 6, 7], LAMBDA(x, x % 2), TRUE)',
      [
        { key: 1, values: [5, 7] },
        { key: 0, values: [6] },
      ],
    ],
    ['GROUP_BY(rows, "n", FALSE).y[0].v', 2],
    ['GROUP_BY([{n: "__proto__"}], "n").x', null],
    ['GROUP_BY(missing, "n")', {}],
    ['REDUCE(rows, LAMBDA(sum, r, sum + r.v), 0)', 3],
    ['IS_EMPTY(FILTER(missing, LAMBDA(x, x)))', true],
  ])('%s gives %j', (formula, expected) => {
    expect(valueOf(formula)).toEqual(expected);
  });

  it('are neither text nor a result', () => {
    expect(() => valueOf('LAMBDA(x, x)')).toThrow(/LAMBDA cannot be the result/);
    expect(() => valueOf('[{a: LAMBDA(x, x)}]')).toThrow(/LAMBDA cannot be the result/);
    expect(() => render('<<LAMBDA(x, x)>>')).toThrow(/LAMBDA cannot be shown/);
    expect(() => valueOf('MAP([1], LAMBDA(1, 2))')).toThrow(/Only names/);
    expect(() => valueOf('LAMBDA()')).toThrow(/requires an expression/);
  });
});

describe('text', () => {
  it.each<[string, string]>([
    ['plain', 'plain'],
    ['Hi <<user.name>>!', 'Hi Ann!'],
    ['<<user.age>>', '30'],
    ['<<rows>>', '[{"n":"x","v":1},{"n":"y","v":2}]'],
    ['<<missing.path>>', ''],
    ['<<>>x<<  >>', 'x'],
    ['a << b', 'a << b'],
    ['a <% b', 'a <% b'],
    ['>> <<user.name', '>> <<user.name'],
    ['<<"a>>b" & \'>>\'>>', 'a>>b>>'],
    ['<<user.age > 18>>', 'true'],
    ['{{ .user.name }} {% if %}', '{{ .user.name }} {% if %}'],
    ['== Heading ==', '== Heading =='],
    ['a = b', 'a = b'],
    ['{"k": "<<IF(IS_BLANK(user.group), null, \\"*G:* \\" & user. group& \\"\\")>>"}', '{"k": ""}'],
    ['<%if user.age > 18%>adult<%else%>child<%endif%>', 'adult'],
    ['<% if FALSE %>1<% elsif user.age = 30 %>2<% else %>3<% endif %>', '2'],
    ['<% IF "" %>empty text is true<% ENDIF %>', 'empty text is true'],
    ['<% for r in rows %><<r.n>>=<<r.v>><% if FORLOOP.last != TRUE %>,<% endif %><% endfor %>', 'x=1,y=2'],
    ['<% for i in RANGE(1, 3) %><<i>>,<% endfor %>', '1,2,3,'],
    ['<% for e in {a: 1} %><<e.key>>:<<e.value>><% endfor %>', 'a:1'],
    ['<% for x in missing %>x<% endfor %>', ''],
    [
      '<% for r in rows %><% for t in user.tags %><<r.n & t & FORLOOP.index>> <% endfor %><% endfor %>',
      'xa1 xb2 ya1 yb2 ',
    ],
    [
      '[<%for row in table%><%if FORLOOP.first != TRUE%>{<%for value in table.first%>"<<value>>":"<<row[FORLOOP.index0]>>"<%if FORLOOP.last != TRUE%>,<%endif%><%endfor%>}<%if FORLOOP.last != TRUE%>,<%endif%><%endif%><%endfor%>]',
      '[{"h1":"1","h2":"2"},{"h1":"3","h2":"4"}]',
    ],
  ])('%s renders as %j', (text, expected) => {
    expect(render(text)).toBe(expected);
  });

  it('keeps the type of a whole formula, whatever white space stands before it', () => {
    expect(render('=user.age')).toBe(30);
    expect(render(' \n= rows')).toEqual(event.rows);
    expect(render('=missing')).toBeNull();
  });

  it('as a value, gives the value of its only pill, and of JSON', () => {
    expect(render('<<rows>>', true)).toEqual(event.rows);
    expect(render(' <<user.tags>><<>>', true)).toEqual(['a', 'b']);
    expect(render('<<http.text>>', true)).toEqual({ a: [1] });
    expect(render('[<<user.age>>, 2]', true)).toEqual([30, 2]);
    expect(render('<<missing>>', true)).toBeNull();
    expect(render('[1]', true)).toEqual([1]);
    expect(render('plain', true)).toBe('plain');
  });

  it('is not taken for a template where it is the content of a file', () => {
    expect(language.isTemplate('\0PNG<<\0>>')).toBe(false);
  });
});

describe('faults', () => {
  it.each<[string, Partial<TemplateProblem>]>([
    ['=1 +', { message: 'the formula ends where a value is expected', column: 5 }],
    ['=(1', { message: 'the formula ends where ) is expected', column: 4 }],
    ['=1 2', { message: '"2" stands here where an operator is expected', column: 4 }],
    ['=[1', { message: 'the formula ends where , or ] is expected' }],
    ['={a 1}', { message: '"1" stands here where : is expected' }],
    ['="abc', { message: 'The text starting here has no closing quote', column: 2 }],
    ['=a ; b', { message: 'unexpected ";"', column: 4 }],
    ['=UPCASSE("x")', { message: 'Unknown function UPCASSE' }],
    ['=ISEMPTY("x")', { message: 'Unknown function ISEMPTY; did you mean IS_EMPTY?' }],
    ['=UPCASE()', { message: 'UPCASE(text) got 0 values' }],
    ['=UPCASE("a", "b")', { message: 'UPCASE(text) got 2 values' }],
    ['=IF(1)', { message: 'IF(condition, then, else?) got 1 value' }],
    ['line\n  <<a b>>', { message: '"b" stands here where an operator is expected', line: 2, column: 7 }],
    ['<% if a %>x', { message: '<% if %> has no <% endif %>' }],
    ['<% for a in b %>x', { message: '<% for %> has no <% endfor %>' }],
    ['x<% endif %>', { message: 'There is no matching <% if %>', column: 4 }],
    ['<% if a %><% endfor %>', { message: 'There is no matching <% for %>' }],
    ['<% else %>', { message: 'There is no matching <% if %>' }],
    ['<% if a %><% else %><% elsif b %><% endif %>', { message: 'Nothing can follow <% else %>' }],
    ['<% for x of y %><% endfor %>', { message: 'A loop is written <% for name in list %>' }],
    ['<% while x %>', { message: '<% while x %> is not if, elsif, else, endif, for or endfor' }],
    [`=${'('.repeat(200)}1`, { message: 'The formula is nested deeper than 100' }],
  ])('%j is reported with its place', (text, expected) => {
    const [problem] = language.check(text);
    expect(problem).toMatchObject(expected);
    expect(failureOf(() => render(text)).problem).toEqual(problem);
  });

  it.each<[string, Partial<TemplateProblem>]>([
    ['="a" + 1', { message: '"a" is not a number (texts are joined with &)', column: 6 }],
    ['=TRUE * 2', { message: 'true is not a number' }],
    ['=[] - 2', { message: 'a list is not a number' }],
    ['=1 / missing', { message: 'divided by 0', column: 4 }],
    ['=MAP(rows, 1 / 0)', { message: 'divided by 0', column: 14 }],
    ['x <<1 + JSON_PARSE("{")>>', { column: 9 }],
    ['=CREDENTIAL.none', { message: 'This team has no credential "none"', column: 2 }],
    ['=STORY["gone"]', { message: 'This team has no story "gone"' }],
    ['=STORY.team.gone', { message: 'This team has no story "team.gone"', column: 2 }],
    ['=% + 1', { message: '% is the value to the left of a pipe |>, but there is no pipe before it' }],
    ['=DATE("now", "%s", "Mars/Base")', { message: 'DATE: unknown time zone "Mars/Base"' }],
    ['=MATCH("a", "(" & "x")', { line: 1, column: 2 }],
  ])('%j fails with its place', (text, expected) => {
    expect(language.check(text)).toEqual([]);
    expect(failureOf(() => render(text)).problem).toMatchObject(expected);
  });

  it('of a text that is of no action name the prompt', () => {
    const failure = failureOf(() => language.render('<<PROMPT("yes")>>', { ...scope, prompt: undefined }));
    expect(failure.message).toContain('The prompt "yes" cannot be created');
  });

  it('refer to nothing', () => {
    expect(language.references?.('=a +')).toEqual({
      names: [],
      resources: false,
      credentials: false,
      stories: false,
    });
  });
});

describe('text beyond 16 bits', () => {
  it.each<[string, JsonValue]>([
    ['LEFT("😀😀a", 2)', '😀😀'],
    ['RIGHT("a😀b😀", 2)', 'b😀'],
    ['RIGHT("😀😀", 5)', '😀😀'],
    ['REVERSE("a😀")', '😀a'],
    ['SIZE("😀")', 1],
  ])('is taken by whole characters: %s', (formula, expected) => {
    expect(valueOf(formula)).toBe(expected);
  });
});

describe('dates as real stories use them', () => {
  it('reads a zone with its halves exchanged as meant, and a date with a stray T', () => {
    expect(valueOf('DATE("2024-01-01T12:00:00Z", "%H:%M", "Vancouver/America")')).toBe('04:00');
    expect(valueOf('DATE("20240102T", "%F")')).toBe('2024-01-02');
    expect(valueOf('DATE_DIFF("2024-01-01", DATE("Today", "%Y%m%dT")).days > 300')).toBe(true);
  });

  it('leaves what is no time as it is', () => {
    expect(valueOf('DATE(missing, "%F")')).toBeNull();
    expect(valueOf('DATE("soon", "%F")')).toBe('soon');
  });
});

describe('a formula that stands alone', () => {
  it('takes its names from the variables given, with or without the equals sign', () => {
    const variables = { team_case: { status: 'OPEN', tags: ['a'] } };
    expect(evaluateFormula('team_case.status = "OPEN"', variables)).toBe(true);
    expect(evaluateFormula('= INCLUDES(team_case.tags, "b")', variables)).toBe(false);
    expect(evaluateFormula('constructor', {})).toBeNull();
  });

  it('reports where it does not parse', () => {
    expect(failureOf(() => parseFormula('=1 + ')).problem).toEqual({
      message: 'the formula ends where a value is expected',
      line: 1,
      column: 6,
    });
    expect(failureOf(() => parseFormula('')).problem?.message).toContain('a value is expected');
    expect(parseFormula('TRUE').kind).toBe('literal');
  });

  it('has no more time than it is given', () => {
    const formula = Array.from({ length: 1_000 }, () => '1').join(' + ');
    expect(evaluateFormula(formula, {}, 60_000)).toBe(1_000);
    expect(() => evaluateFormula(formula, {}, 0)).toThrow('takes longer than 0 ms');
  });

  it('has no team, run or prompts', () => {
    for (const formula of ['CREDENTIAL.x', 'RESOURCE.x', 'STORY.x', 'STORY_RUN_GUID()', 'PROMPT("x")']) {
      expect(() => evaluateFormula(formula, {})).toThrow(TemplateError);
    }
  });

  it.each<[JsonValue, boolean]>([
    [true, true],
    [0, true],
    ['false', true],
    [[null], true],
    [{ a: null }, true],
    [false, false],
    [null, false],
    ['', false],
    [[], false],
    [{}, false],
  ])('is true for a rule that gives %j: %j', (value, expected) => {
    expect(isTruthy(value)).toBe(expected);
  });
});
