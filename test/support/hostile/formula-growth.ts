import { MAX_FORMULA_MS } from '../../../src/language/formula/formula-limits.js';
import { formula, type HostileFamily } from './hostile-case.js';
import { filled, largeValue, numbers, wideObject, wrapped } from './hostile-data.js';

const TIME = /takes longer than 1000 ms/;
const STEPS = /takes more than 2000000 steps/;
const EITHER = /takes longer than 1000 ms|takes more than 2000000 steps|needs too much memory/;
const LARGE = /larger than 16777216 characters/;

/** `"x" |> % & % |> % & % …`: twice as large each time. */
const piped = (start: string, step: string, times: number) => `=${start}${` |> ${step}`.repeat(times)}`;
const DOUBLED = piped('[1]', '[%, %]', 60);

const list = () => ({ list: numbers(20_000) });
const long = () => ({ list: numbers(20_000), long: filled('ab ', 300_000) });
const longList = () => ({ l: numbers(90_000) });
/** The same list as a value three thousand times. */
const manyTimes = (name: string) => Array.from({ length: 3_000 }, () => name).join(',');

/** Lambdas, pipes and values that grow, in formulas. */
export const formulaGrowth: HostileFamily = {
  name: 'formulas that loop and grow',
  limitMs: MAX_FORMULA_MS,
  cases: [
    formula('text doubled in pipes', piped('"xxxxxxxxxx"', '% & %', 40), {
      stops: /needs too much memory|text of \d+ characters is too long/,
    }),
    formula('lists doubled in pipes', DOUBLED, { stops: LARGE }),
    formula('objects doubled in pipes', piped('{a: 1}', '{a: %, b: %}', 60), { stops: LARGE }),
    formula('lists joined with themselves', piped('[1]', 'CONCAT(%, %)', 40), {
      stops: /CONCAT: A list of \d+ elements is too long/,
    }),
    formula('a doubled list as JSON', `${DOUBLED} |> TO_JSON(%)`, { stops: LARGE }),
    formula('a doubled list as text', `<<${DOUBLED.slice(1)}>>`, { stops: LARGE }),
    formula('a doubled list in a text', `${DOUBLED} |> "" & %`, { stops: LARGE }),
    formula('a doubled list compared with itself', `${DOUBLED} |> (% = %)`, { gives: true }),
    formula('doubled lists compared', `=(${DOUBLED.slice(1)}) = (${DOUBLED.slice(1)})`, { stops: STEPS }),
    formula('a doubled list flattened', `${DOUBLED} |> FLATTEN(%)`, {
      stops: /FLATTEN: a list of \d+ elements is too long/,
    }),
    formula('a doubled list made unique', `${DOUBLED} |> UNIQ(%)`, { stops: LARGE }),
    formula('a doubled list counted by its elements', `${DOUBLED} |> TALLY(%)`, { stops: LARGE }),
    formula('a doubled list searched by a path', `${DOUBLED} |> JSONPATH(%, "$..x")`, { stops: LARGE }),
    formula('objects merged into themselves', `${piped('{a: 1}', '{a: %, b: %}', 60)} |> DEEP_MERGE(%, %)`, {
      stops: EITHER,
    }),
    formula('a value deeper each time', `=[1]${' |> [%]'.repeat(1_300)}`, {
      stops: /deeper than 1200 levels/,
    }),
    formula('a lambda that is given to itself', '=MAP([LAMBDA(f, MAP([f], f))], LAMBDA(f, MAP([f], f)))', {
      stops: /deeper than 150 levels|cannot be the result/,
    }),
    formula('lambdas over lambdas', `=${wrapped(4, '1', (inner) => `MAP(list, LAMBDA(x, ${inner}))`)}`, {
      event: list,
      stops: EITHER,
    }),
    formula('loops inside loops', `${'<% for x in list %>'.repeat(4)}.${'<% endfor %>'.repeat(4)}`, {
      event: list,
      stops: EITHER,
    }),
    formula('fifty loops of two rounds', `${'<% for x in pair %>'.repeat(50)}.${'<% endfor %>'.repeat(50)}`, {
      event: () => ({ pair: [1, 2] }),
      stops: EITHER,
    }),
    formula('a loop that writes much', '<% for x in list %><<long>><% endfor %>', {
      event: long,
      stops: /The result is longer than 16777216 characters/,
    }),
    formula('long text changed for each element', '=MAP(list, LAMBDA(x, UPCASE(long)))', {
      event: long,
      stops: EITHER,
    }),
    formula('long text split for each element', '=MAP(list, LAMBDA(x, SIZE(SPLIT(long, ""))))', {
      event: long,
      stops: EITHER,
    }),
    formula(
      'long text searched for each element',
      '=MAP(list, LAMBDA(x, REGEX_REPLACE(long, "a(b?)+ $", x)))',
      { event: long, stops: EITHER },
    ),
    formula('lists sorted for each element', '=MAP(list, LAMBDA(x, SORT(list)))', {
      event: list,
      stops: EITHER,
    }),
    formula('lists compared for each element', '=FILTER(list, LAMBDA(x, INCLUDES(list, [x])))', {
      event: list,
      stops: EITHER,
    }),
    formula('folds that grow a list', '=REDUCE(list, LAMBDA(all, x, PUSH(all, all)), [])', {
      event: list,
      stops: EITHER,
    }),
    formula('folds that grow a text', '=REDUCE(list, LAMBDA(all, x, all & all & "x"), "")', {
      event: list,
      stops: /needs too much memory|text of \d+ characters/,
    }),
    formula('a long list for each element of one', '=SIZE(FLAT_MAP(l, LAMBDA(x, l)))', {
      event: longList,
      stops: STEPS,
    }),
    formula('a list joined three thousand times', `=SIZE(CONCAT(${manyTimes('l')}))`, {
      event: longList,
      stops: STEPS,
    }),
    formula('a union of three thousand lists', `=SIZE(UNION(${manyTimes('l')}))`, {
      event: longList,
      stops: STEPS,
    }),
    formula('the largest number of three thousand lists', `=MAX(${manyTimes('l')})`, {
      event: longList,
      stops: STEPS,
    }),
    formula('keys out of three thousand lists', `=PICK({}, ${manyTimes('l')})`, {
      event: longList,
      stops: STEPS,
    }),
    formula('three thousand objects merged', `=SIZE(MERGE(${manyTimes('o')}))`, {
      event: () => ({ o: wideObject(90_000) }),
      stops: EITHER,
    }),
    formula('lists zipped into a table', `=SIZE(ZIP_LISTS(${manyTimes('l')}))`, {
      event: longList,
      stops: STEPS,
    }),
    formula('a table of lists of lists', '=OBJECTS_TO_CSV(MAP(l, LAMBDA(x, l)))', {
      event: longList,
      stops: STEPS,
    }),
    formula(
      'a table of many columns',
      '=OBJECTS_TO_CSV(MAP(RANGE(1, 90000), LAMBDA(x, OBJECT("k" & x, 1))))',
      {
        stops: /OBJECTS_TO_CSV: the table is too large|takes longer/,
      },
    ),
    formula('a query of empty texts', '=TO_QUERY(o)', {
      event: () => {
        const empty = Array.from({ length: 1_000_000 }, () => '');
        return { o: Object.fromEntries(numbers(1_000).map((n) => [`k${n}`, empty])) };
      },
      stops: STEPS,
    }),
    formula('a list of millions flattened', '=FLATTEN([wide])', {
      event: () => ({ wide: Array.from({ length: 3_000_000 }, () => 1) }),
      stops: /FLATTEN: a list of 3000000 elements is too long/,
    }),
    formula('lists of millions compared', '=a = b', {
      event: () => ({ a: numbers(3_000_000), b: numbers(3_000_000) }),
      stops: STEPS,
    }),
    formula('a list that is too long', '=REVERSE(wide)', {
      event: () => ({ wide: numbers(200_000) }),
      stops: /REVERSE: A list of 200000 elements is too long for a filter \(100000\)/,
    }),
    formula('a large value for each element, each once', '=UNION(MAP(RANGE(1, 1000), LAMBDA(x, v)))', {
      event: () => ({ v: largeValue() }),
      stops: TIME,
    }),
    formula(
      'a large value for each element, taken away',
      '=DIFFERENCE(MAP(RANGE(1, 1000), LAMBDA(x, v)), [1])',
      {
        event: () => ({ v: largeValue() }),
        stops: TIME,
      },
    ),
    formula('groups named by a large value', '=SIZE(GROUP_BY(RANGE(1, 10000), LAMBDA(x, v)))', {
      event: () => ({ v: largeValue() }),
      stops: TIME,
    }),
    formula('the largest of equal long texts', '=MAX_BY(list, "t")', {
      event: () => {
        const [a, b] = [filled('x', 4_000_000), filled('x', 4_000_000)];
        return { list: numbers(50_000).map((n) => ({ t: n % 2 === 0 ? a : b })) };
      },
      stops: TIME,
    }),
    formula('an object copied for each element', '=SIZE(MAP(RANGE(1, 1000), LAMBDA(x, SET(o, "a", x))))', {
      event: () => ({ o: wideObject(500_000) }),
      stops: TIME,
    }),
    formula('parsed values kept for each element', '=SIZE(MAP(RANGE(1, 1000), LAMBDA(x, JSON_PARSE(t))))', {
      event: () => ({ t: `{"a":[${filled('{},', 2_000_000)}{}]}` }),
      stops: EITHER,
    }),
    formula('an archive that unpacks without end', '=MAP(RANGE(1, 30000), LAMBDA(x, GUNZIP(GZIP(long))))', {
      event: long,
      stops: EITHER,
    }),
    formula(
      'errors caught for ever',
      '=MAP(list, LAMBDA(x, TRY(MAP(list, LAMBDA(y, 1 / 0)), MAP(list, LAMBDA(y, y)))))',
      { event: list, stops: EITHER },
    ),
    formula(
      'long texts caught for ever',
      '=SIZE(MAP(RANGE(1, 100000), LAMBDA(x, TRY(REPEAT(long, 100), 1))))',
      { event: long, stops: EITHER, fastEnough: 100_000 },
    ),
    formula('a limit that is caught', '=TRY(TRY(MAP(list, LAMBDA(x, SORT(list))), 1), 2)', {
      event: list,
      stops: EITHER,
    }),
    formula('choices between long texts', `=SWITCH(a, ${'b, 1, '.repeat(3_000)}2)`, {
      event: () => ({ a: filled('x', 4_000_000), b: `${filled('x', 3_999_999)}y` }),
      stops: TIME,
      fastEnough: 2,
    }),
    formula(
      'a hundred thousand names looked for in fifty thousand',
      `=MAP([1], LAMBDA(${numbers(50_000)
        .map((n) => `a${n}`)
        .join(',')}, [${'zz,'.repeat(50_000)}]))`,
      {
        stops: TIME,
      },
    ),
  ],
};
