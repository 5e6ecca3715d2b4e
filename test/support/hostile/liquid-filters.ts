import { MAX_RENDER_MS } from '../../../src/language/limits.js';
import { type HostileFamily, liquid } from './hostile-case.js';
import { filled, nestedList, numbers, rows } from './hostile-data.js';

const TIME = /took too long to render/;

/** Filters of Liquid on lists, formats, keys, numbers and patterns that cost them most. */
export const liquidFilters: HostileFamily = {
  name: 'Liquid filters on large and awkward values',
  limitMs: MAX_RENDER_MS,
  cases: [
    liquid('a join of long separators', '{{ list | join: text }}', {
      event: () => ({ list: rows(90_000), text: filled('a', 3_000_000) }),
      stops: /join: the result is too long/,
    }),
    liquid('a join whose separator is a list', '{{ list | join: list }}', {
      event: () => ({ list: numbers(90_000) }),
      stops: /join: the result is too long/,
    }),
    liquid('a list that is too long', '{{ list | reverse | size }}', {
      event: () => ({ list: numbers(1_000_000) }),
      stops: /reverse: A list of 1000000 elements is too long for a filter \(100000\)/,
    }),
    liquid('lists that are too long inside a list', '{{ list | join: "" | size }}', {
      event: () => ({ list: [numbers(90_000), numbers(90_000)] }),
      stops: /join: a list of more than 100000 elements is too long/,
    }),
    liquid('sums at a path that is a list', '{{ list | sum: list }}', {
      event: () => ({ list: rows(90_000) }),
      stops: TIME,
      fastEnough: '0',
    }),
    liquid('sums at a long path', '{{ list | sum: path }}', {
      event: () => ({ list: rows(90_000), path: filled('a.', 1_000) }),
      stops: TIME,
      fastEnough: '0',
    }),
    liquid('elements at a path that is a list', '{{ list | map: list | size }}', {
      event: () => ({ list: rows(90_000) }),
      stops: TIME,
    }),
    liquid('elements at a path of brackets', '{{ list | map: path | compact | size }}', {
      event: () => ({ list: rows(90_000), path: filled('[', 1_000_000) }),
      gives: '0',
    }),
    liquid('elements compared with a long list', '{{ list | where: "n", numbers | size }}', {
      event: () => ({ list: rows(90_000), numbers: numbers(90_000) }),
      stops: TIME,
    }),
    liquid('elements made unique by a long list each', '{{ list | uniq | size }}', {
      event: () => {
        const long = numbers(500_000);
        return { list: numbers(1_000).map(() => long) };
      },
      stops: /uniq: a list of more than 100000 elements is too long/,
    }),
    liquid('long texts sorted', '{{ list | sort_natural | size }}', {
      event: () => ({ list: [filled('X', 9_000_000), filled('Y', 9_000_000)] }),
      stops: /sort_natural: the list is too large to sort/,
    }),
    liquid('a signature by a property', '{{ "{}" | jwt_sign: "k", "constructor" }}', {
      stops: /jwt_sign: the algorithm "constructor" is not HS256, HS384, HS512, RS256/,
    }),
    liquid('a signature by a long text', '{{ "{}" | jwt_sign: "k", text }}', {
      event: () => ({ text: filled('x', 1_000_000) }),
      stops: /^jwt_sign: the algorithm "x{50}…" is not HS256, .* \(line 1, column 1\)$/,
    }),
    liquid('a time in a zone that is a long text', '{{ "now" | date: "%s", text }}', {
      event: () => ({ text: filled('x', 1_000_000) }),
      stops: /^date: unknown time zone "x{100}…" \(line 1, column 1\)$/,
    }),
    liquid('a format that is a long text', '{{ "now" | date: text }}', {
      event: () => ({ text: filled('%c', 3_000_000) }),
      stops: /date: the format is too long/,
    }),
    liquid('a format of wide numbers', '{{ "now" | date: text | size }}', {
      event: () => ({ text: '%999Y'.repeat(199) }),
      gives: '19900',
    }),
    liquid('a width beyond all numbers', '{{ "2024-01-02" | date: "%9999999999Y" }}', {
      gives: '%9999999999Y',
    }),
    liquid('a time beyond all times', '{{ n | date: "%Y" }} {{ "9e99" | date: "%Y" }}', {
      event: () => ({ n: 1e300 }),
      gives: '1e+300 9e99',
    }),
    liquid('numbers beyond all numbers', '{{ high | round: 15 }} {{ low | round: 2 }} {{ 5 | round: 400 }}', {
      event: () => ({ high: 1e300, low: 1e-300 }),
      gives: '1e+300 0.0 5',
    }),
    liquid('deep indentation', '{{ deep | neat_json | size }}', {
      event: () => ({ deep: nestedList(1_000, numbers(100_000)) }),
      stops: /neat_json: The value is larger than 16777216 characters/,
    }),
    liquid('a pattern that would backtrack', '{{ text | regex_replace: "^(a+)+$", "" | size }}', {
      event: () => ({ text: `${filled('a', 50_000)}!` }),
      gives: '50001',
    }),
    liquid('an ambiguous pattern', '{{ text | regex_replace: "(a|a)*b", "" | size }}', {
      event: () => ({ text: `${filled('a', 50_000)}!` }),
      gives: '50001',
    }),
    liquid(
      'a pattern that looks to the end for each match',
      '{{ text | regex_replace: "a(?:.*b)?", "" | size }}',
      {
        event: () => ({ text: filled('a', 900_000) }),
        fastEnough: '0',
        stops: TIME,
      },
    ),
    liquid('a replacement of a million groups', '{{ text | regex_replace: "(a)", by | size }}', {
      event: () => ({ text: filled('a', 100_000), by: filled('\\1', 2_000_000) }),
      stops: /took too long|the result is too long/,
    }),
    liquid('a division by nothing', '{{ 1 | divided_by: 0 }}', { stops: /divided_by: divided by 0/ }),
    liquid('a rest of nothing', '{{ 1 | modulo: 0.000 }}', { stops: /modulo: divided by 0/ }),
  ],
};
