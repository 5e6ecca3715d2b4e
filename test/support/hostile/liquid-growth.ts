import { MAX_RENDER_MS } from '../../../src/language/limits.js';
import { type HostileFamily, liquid } from './hostile-case.js';
import { filled, largeValue, nestedList, numbers, rows, wideObject } from './hostile-data.js';

const TIME = /took too long to render/;
const MEMORY = /needs too much memory/;
const EITHER = /took too long to render|needs too much memory/;
const LARGE = /larger than 16777216 characters/;
const LONG = /(?:longer than 16777216|text of \d+) characters/;

const doubled = (name: string) =>
  `{% for i in (1..60) %}{% assign ${name} = none | push: ${name} | push: ${name} %}{% endfor %}`;

/** Loops, ranges and values that grow, in Liquid. */
export const liquidGrowth: HostileFamily = {
  name: 'Liquid that loops and grows',
  limitMs: MAX_RENDER_MS,
  cases: [
    liquid('an endless loop', '{% for i in (1..100000000) %}{% endfor %}', { stops: MEMORY }),
    liquid(
      'a loop of three million rounds',
      `{% for i in (1..3000000) %}${'{% assign x = i %}'.repeat(5)}{% endfor %}`,
      {
        stops: TIME,
      },
    ),
    liquid(
      'nested loops',
      '{% for i in (1..3000) %}{% for j in (1..3000) %}{{ j }}{% endfor %}{% endfor %}',
      { stops: EITHER },
    ),
    liquid(
      'six empty loops in one another',
      `${'{% for i in (1..999) %}'.repeat(6)}${'{% endfor %}'.repeat(6)}`,
      { stops: EITHER },
    ),
    liquid(
      'a loop whose ranges are thrown away',
      '{% for i in (1..2000) %}{% for x in (1..3000) limit: 1 %}{% endfor %}{% endfor %}',
      { stops: MEMORY },
    ),
    liquid('a range beyond memory', '{{ (1..900000000) | size }}', { stops: MEMORY }),
    liquid('a range to the largest number', '{% for i in (1..n) %}{% endfor %}', {
      event: () => ({ n: 1e308 }),
      stops: MEMORY,
    }),
    liquid('a range from minus infinity', '{% for i in (n..1) %}{% endfor %}', {
      event: () => ({ n: `-${filled('9', 400)}` }),
      stops: MEMORY,
    }),
    liquid('a range to five million digits', '{% for i in (1..n) %}{% endfor %}', {
      event: () => ({ n: filled('9', 5_000_000) }),
      stops: MEMORY,
    }),
    liquid('a range of what are no numbers', '[{% for i in (a..b) %}x{% endfor %}]', {
      event: () => ({ a: 'x', b: {} }),
      gives: '[x]',
    }),
    liquid('a table of too many cells', '{% tablerow i in (1..9000000) %}{% endtablerow %}', {
      stops: MEMORY,
    }),
    liquid(
      'a range that gives memory back',
      `${'{% for i in (3999999..1) %}{% endfor %}'.repeat(3)}${'{% assign a = (1..3000000) %}'.repeat(2)}`,
      { stops: MEMORY },
    ),
    liquid(
      'a text that doubles',
      '{% assign s = text %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}{{ s }}',
      {
        event: () => ({ text: filled('a', 3_000_000) }),
        stops: /needs too much memory|text of \d+ characters/,
      },
    ),
    liquid(
      'a text that doubles and changes',
      '{% assign s = "a" %}{% for i in (1..100) %}{% assign s = s | append: s | upcase %}{% endfor %}{{ s }}',
      { stops: /needs too much memory|text of \d+ characters/ },
    ),
    liquid(
      'captures that double',
      '{% for i in (1..100) %}{% capture s %}{{ s }}{{ s }}a{% endcapture %}{% endfor %}{{ s }}',
      { stops: LONG },
    ),
    liquid(
      'a list that doubles',
      '{% for i in (1..40) %}{% assign list = list | concat: list %}{% endfor %}{{ list }}',
      { event: () => ({ list: rows(90_000) }), stops: /concat: A list of \d+ elements is too long/ },
    ),
    liquid('a list inside itself', `${doubled('list')}{{ list }}`, {
      event: () => ({ list: numbers(3) }),
      stops: LARGE,
    }),
    liquid('a list inside itself as JSON', `${doubled('list')}{{ list | json | size }}`, { stops: LARGE }),
    liquid('equal lists inside themselves', `${doubled('a')}${doubled('b')}{% if a == b %}same{% endif %}`, {
      event: () => ({ a: [1], b: [1] }),
      stops: TIME,
    }),
    liquid(
      'unequal lists inside themselves',
      `${doubled('a')}${doubled('b')}{% if a != b %}other{% endif %}`,
      { event: () => ({ a: [1], b: [1] }), stops: TIME },
    ),
    liquid(
      'a case of lists inside themselves',
      `${doubled('a')}${doubled('b')}{% case a %}{% when b %}same{% endcase %}`,
      { event: () => ({ a: [1], b: [1] }), stops: TIME },
    ),
    liquid('a list searched for one inside itself', `${doubled('a')}{% if a contains a %}has{% endif %}`, {
      stops: LARGE,
    }),
    liquid(
      'elements compared with a list inside itself',
      `${doubled('a')}{{ list | where: "s", a | size }}`,
      {
        event: () => ({ list: rows(1_000) }),
        stops: LARGE,
      },
    ),
    liquid('long lists compared for ever', '{% for i in (1..1000) %}{% if a == b %}{% endif %}{% endfor %}', {
      event: () => ({ a: numbers(1_000_000), b: numbers(1_000_000) }),
      stops: TIME,
    }),
    liquid(
      'long texts compared for ever',
      '{% for i in (1..100000) %}{% if a < b %}{% endif %}{% endfor %}',
      {
        event: () => ({ a: filled('x', 5_000_000), b: filled('x', 5_000_000) }),
        stops: TIME,
      },
    ),
    liquid(
      'long texts found equal for ever',
      '{% for i in (1..100000) %}{% if a == b %}{% endif %}{% endfor %}',
      {
        event: () => ({ a: filled('x', 5_000_000), b: filled('x', 5_000_000) }),
        stops: TIME,
      },
    ),
    liquid(
      'long digits compared for ever',
      '{% for i in (1..100000) %}{% if a > 1 %}{% endif %}{% endfor %}',
      {
        event: () => ({ a: filled('9', 5_000_000) }),
        stops: TIME,
      },
    ),
    liquid(
      'long digits added to for ever',
      '{% for i in (1..100000) %}{% assign x = a | plus: 1 %}{% endfor %}',
      {
        event: () => ({ a: filled('9', 5_000_000) }),
        stops: /plus: numbers of more than 1000 digits can be passed on but not calculated with/,
      },
    ),
    liquid('JSON inside a loop', '{% for i in (1..100000) %}{% assign x = list | json %}{% endfor %}', {
      event: () => ({ list: rows(90_000) }),
      stops: EITHER,
    }),
    liquid(
      'sorting inside a loop',
      '{% for i in (1..100000) %}{% assign x = list | sort: "s" %}{% endfor %}',
      {
        event: () => ({ list: rows(90_000) }),
        stops: EITHER,
      },
    ),
    liquid(
      'parsed values kept in a loop',
      '{% for i in (1..40) %}{% assign all = all | push: (text | json_parse) %}{% endfor %}{{ all | size }}',
      { event: () => ({ text: `{"a":[${filled('{},', 2_000_000)}{}]}` }), stops: MEMORY },
    ),
    liquid(
      'groups of groups',
      '{% assign g = list | group_by: "s" %}{% for i in (1..1000) %}{% assign g = g | group_by: "name" %}{% endfor %}{{ g | json }}',
      { event: () => ({ list: rows(1_000) }), stops: /took too long|larger than|deeper than/ },
    ),
    liquid('a large value shown for ever', '{% for i in (1..1000) %}{{ large }}{% endfor %}', {
      event: () => ({ large: largeValue() }),
      stops: LONG,
    }),
    liquid(
      'a large value captured for ever',
      '{% for i in (1..1000) %}{% capture x %}{{ large }}{% endcapture %}{% endfor %}',
      {
        event: () => ({ large: largeValue() }),
        stops: TIME,
      },
    ),
    liquid('a text shown a million times', '{% for i in (1..1000000) %}{{ text }}{% endfor %}', {
      event: () => ({ text: filled('x', 1_000) }),
      stops: LONG,
    }),
    liquid(
      'a cycle without end',
      `{% for i in (1..3000000) %}${'{% cycle "a", "b" %}'.repeat(3)}{% endfor %}`,
      {
        stops: TIME,
      },
    ),
    liquid(
      'a counter without end',
      `{% for i in (1..1000000) %}{% capture y %}${'{% increment x %}'.repeat(9)}{% endcapture %}{% endfor %}`,
      {
        stops: TIME,
        fastEnough: '',
      },
    ),
    liquid(
      'times in zones for ever',
      // A fast machine gets through a hundred thousand in its second.
      '{% for j in (1..20) %}{% for i in (1..100000) %}{% assign x = "now" | date: "%s", "Europe/Paris" %}{% endfor %}{% endfor %}',
      {
        stops: TIME,
      },
    ),
    liquid(
      'the keys of an object counted for ever',
      '{% for i in (1..100000) %}{% assign x = o.size %}{% endfor %}',
      {
        event: () => ({ o: wideObject(500_000) }),
        stops: TIME,
      },
    ),
    liquid(
      'lists in one another',
      '{% for i in (1..2000) %}{% assign deep = none | push: deep %}{% endfor %}{{ deep | json }}',
      { stops: /deeper than 1200 levels/ },
    ),
    liquid('data that is too deep', '{{ deep }}', {
      event: () => ({ deep: nestedList(30_000) }),
      stops: /deeper than 1200 levels/,
    }),
    liquid('data that is too deep as JSON', '{{ deep | neat_json }}', {
      event: () => ({ deep: nestedList(30_000) }),
      stops: /deeper than 1200 levels/,
    }),
  ],
};
