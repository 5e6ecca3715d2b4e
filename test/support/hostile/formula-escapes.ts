import type { JsonValue } from '../../../src/platform/json.js';
import { MAX_FORMULA_MS } from '../../../src/language/formula/formula-limits.js';
import { formula, type HostileCase, type HostileFamily } from './hostile-case.js';

const event = () => ({ a: { b: [1, 'x'] }, s: 'abc' });
const NO_TEXT = /^(?:\w+: )?A LAMBDA cannot be shown as text/;

const reaches = (text: string, gives: JsonValue): HostileCase =>
  formula(`=${text}`, `=${text}`, { event, gives });

const LAMBDA_STOPS: [formula: string, stops: RegExp][] = [
  ['[LAMBDA(x, x)]', /^A LAMBDA cannot be the result of a formula/],
  ['{a: LAMBDA(x, x)}.a', /^A LAMBDA cannot be the result of a formula/],
  ['TEXT(LAMBDA(x, x))', NO_TEXT],
  ['TO_JSON([LAMBDA(x, x)])', NO_TEXT],
  ['NEAT_JSON({a: LAMBDA(x, x)})', NO_TEXT],
  ['LAMBDA(x, x) & "a"', NO_TEXT],
  ['UNIQ([LAMBDA(x, x)])', NO_TEXT],
  ['INVERT({a: LAMBDA(x, x)})', NO_TEXT],
  ['JWT_SIGN({a: LAMBDA(x, x)}, "k", "HS256")', NO_TEXT],
  ['GROUP_BY([1], LAMBDA(x, LAMBDA(y, y)))', NO_TEXT],
  ['TALLY([LAMBDA(x, x)])', NO_TEXT],
  ['KEYS(LAMBDA(x, x))', /^KEYS: an object is required, not a Proc/],
  ['MERGE(LAMBDA(x, x))', /^MERGE: an object is required, not a Proc/],
  ['TO_QUERY(LAMBDA(x, x))', /^TO_QUERY: an object is required/],
  ['OBJECTS_TO_CSV([LAMBDA(x, x)])', /a list is required, not a LAMBDA|every element must be an object/],
  ['SUM([LAMBDA(x, x), 1])', /^SUM: an object is not a number/],
  ['MAP_VALUES({a: 1}, LAMBDA(x, LAMBDA(y, y)))', /^A LAMBDA cannot be the result of a formula/],
];

/** Ways out of a formula: to prototypes, functions, and to what a LAMBDA is made of. */
export const formulaEscapes: HostileFamily = {
  name: 'formulas that try to get out',
  limitMs: MAX_FORMULA_MS,
  cases: [
    reaches('constructor', null),
    reaches('__proto__', null),
    reaches('globalThis', null),
    reaches('this', null),
    reaches('process.env', null),
    reaches('a.constructor', null),
    reaches('a["__proto__"]["polluted"]', null),
    reaches('a.b.constructor', null),
    reaches('a.b.length', null),
    reaches('a.b.map', null),
    reaches('s.constructor', null),
    reaches('s.length', null),
    reaches('s.repeat', null),
    reaches('GET(a, "__proto__.toString")', null),
    reaches('GET(a, "constructor")', null),
    reaches('GET(a, "b.constructor.constructor")', null),
    reaches('MAP([a], "__proto__")', [null]),
    reaches('MAP([a], "constructor")', [null]),
    reaches('SORT([a], "__proto__")', [{ b: [1, 'x'] }]),
    reaches('SET({}, "__proto__", {polluted: TRUE}).polluted', null),
    reaches('{"__proto__": {polluted: 1}}.polluted', null),
    reaches('KEYS(OBJECT("__proto__", {polluted: 1}))', ['__proto__']),
    reaches('KEYS(FROM_ENTRIES([["__proto__", {polluted: 1}]]))', ['__proto__']),
    reaches('KEYS(INDEX_BY([{id: "__proto__"}], "id"))', ['__proto__']),
    reaches('KEYS(TALLY(["__proto__", "constructor"]))', ['__proto__', 'constructor']),
    reaches('KEYS(QUERY_PARSE("__proto__=1&constructor=2"))', ['__proto__', 'constructor']),
    reaches('MERGE({}, JSON_PARSE("{\\"__proto__\\": {\\"polluted\\": true}}")).polluted', null),
    reaches('DEEP_MERGE({}, JSON_PARSE("{\\"__proto__\\": {\\"polluted\\": true}}")).polluted', null),
    reaches(
      'DEEP_MERGE({}, JSON_PARSE("{\\"constructor\\": {\\"prototype\\": {\\"polluted\\": true}}}")).polluted',
      null,
    ),
    reaches('FIRST(CSV_PARSE_TO_OBJECTS("__proto__,constructor\\n1,2")).polluted', null),
    reaches('REGEX_REPLACE("a", "a", "[\\0${toString}${__proto__}]")', '[a${toString}${__proto__}]'),
    reaches('TRY(REGEX_REPLACE("a", "a", "\\k<constructor>"), "no group")', 'no group'),
    reaches('REGEX_GROUPS("a", "(?<constructor>a)").polluted', null),
    reaches('LAMBDA(x, x).call', null),
    reaches('LAMBDA(x, x).constructor', null),
    reaches('GET(LAMBDA(x, x), "call")', null),
    reaches('GET(LAMBDA(x, x), "evaluate")', null),
    reaches('MAP([LAMBDA(x, x)], "call")', [null]),
    reaches('FIRST([LAMBDA(x, x)]).constructor', null),
    reaches('JSONPATH([LAMBDA(x, x)], "$..call")', []),
    reaches('SIZE(LAMBDA(x, x))', 0),
    reaches('TYPE(LAMBDA(x, x))', 'Proc'),
    reaches('RESOURCE.constructor', null),
    reaches('RESOURCE["__proto__"].x', null),
    reaches('RESOURCE', null),
    reaches('CREDENTIAL', null),
    reaches('TRY(CREDENTIAL.constructor, "none")', 'none'),
    reaches('SWITCH(1, 2, 3).constructor', null),
    reaches('IS_EMPTY.constructor', null),
    reaches('RANDOM_STRING(1, "constructor").constructor', null),
    formula('a function of all objects', '=toString()', { stops: /^Unknown function toString/ }),
    formula('a function that is a class', '=constructor("return process")', {
      stops: /^Unknown function constructor/,
    }),
    formula('a function that evaluates', '=EVAL("1 + 1")', { stops: /^Unknown function EVAL/ }),
    formula('a method called', '=a.b.map(LAMBDA(x, x))', {
      event,
      stops: /stands here where an operator is expected/,
    }),
    formula('a chain of constructors called', '=a.constructor.constructor("return process")()', {
      stops: /where an operator is expected/,
    }),
    formula('another language', '{{ 1 }} ${1} #{1} <%# 1 %>', { stops: /is not if, elsif, else/ }),
    formula('a lambda in a pill', 'a <<LAMBDA(x, x)>>', { stops: NO_TEXT }),
    ...LAMBDA_STOPS.map(([text, stops]) => formula(`=${text}`, `=${text}`, { stops })),
  ],
};
