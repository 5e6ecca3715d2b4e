import { MAX_RENDER_MS } from '../../../src/language/limits.js';
import { type HostileFamily, liquid } from './hostile-case.js';
import { filled, LONGEST } from './hostile-data.js';

const TIME = /took too long to render/;
const MEMORY = /needs too much memory/;
const LONG = /the result is longer than 16777216 characters|text of \d+ characters is too long/;

/** Texts on which the platform's own search looks at everything again and again. */
const searched = (part: string) => () => ({ text: filled('a', 2_000_000), part });
const ALMOST = `b${'a'.repeat(1_000_000)}`;
const ALMOST_AT_THE_END = `${'a'.repeat(1_000_000)}b`;
const ALMOST_IN_THE_MIDDLE = `${'a'.repeat(2_000)}b${'a'.repeat(2_000)}`;

/** Filters of Liquid on the longest texts, and on those that are worst for them. */
export const liquidTexts: HostileFamily = {
  name: 'Liquid filters on long texts',
  limitMs: MAX_RENDER_MS,
  cases: [
    liquid('every letter replaced by a text', '{{ text | replace: "a", text }}', {
      event: () => ({ text: filled('a', 3_000_000) }),
      stops: LONG,
    }),
    liquid('nothing replaced by something', '{{ text | replace: "", "0123456789" }}', {
      event: () => ({ text: filled('a', 3_000_000) }),
      stops: LONG,
    }),
    liquid('every letter replaced', '{{ text | replace: "a", "b" | size }}', {
      event: () => ({ text: filled('a', 3_000_000) }),
      gives: '3000000',
    }),
    liquid('every letter removed', '{{ text | remove: "a" | size }}', {
      event: () => ({ text: filled('a', 3_000_000) }),
      gives: '0',
    }),
    liquid('a search that almost finds', '{{ text | replace: part, "" | size }}', {
      event: searched(ALMOST),
      gives: '2000000',
    }),
    liquid('a search that almost finds at the end', '{{ text | replace_last: part, "" | size }}', {
      event: searched(ALMOST_AT_THE_END),
      gives: '2000000',
    }),
    liquid('a search that almost finds in the middle', '{{ text | remove: part | size }}', {
      event: searched(ALMOST_IN_THE_MIDDLE),
      gives: '2000000',
    }),
    liquid('a first place that is almost there', '{{ text | replace_first: part, "" | size }}', {
      event: searched(ALMOST_IN_THE_MIDDLE),
      gives: '2000000',
    }),
    liquid('a last place that is almost there', '{{ text | remove_last: part | size }}', {
      event: searched(ALMOST),
      gives: '2000000',
    }),
    liquid('a separator that is almost there', '{{ text | split: part | size }}', {
      event: searched(ALMOST),
      gives: '1',
    }),
    liquid('a part that is almost there', '{% if text contains part %}has{% else %}has not{% endif %}', {
      event: searched(ALMOST_IN_THE_MIDDLE),
      gives: 'has not',
    }),
    liquid('every character as an element', '{{ text | split: "" | size }}', {
      event: () => ({ text: filled('a', LONGEST) }),
      stops: MEMORY,
    }),
    liquid('separators alone', '{{ text | split: "," | size }}', {
      event: () => ({ text: filled(',', LONGEST) }),
      stops: MEMORY,
    }),
    liquid('words of one letter', '{{ text | split: " " | size }}', {
      event: () => ({ text: filled('a ', LONGEST) }),
      stops: MEMORY,
    }),
    liquid('a text cut near its end', '{{ text | truncate: 3000000 | size }}', {
      event: () => ({ text: filled('a', 4_000_000) }),
      gives: '3000000',
    }),
    liquid('words cut near their end', '{{ text | truncatewords: 15000000 | size }}', {
      event: () => ({ text: filled('a  ', 1_500_000) }),
      gives: '1500000',
    }),
    liquid('characters of two halves counted', '{{ text | size }}', {
      event: () => ({ text: filled('😀', 4_000_000) }),
      gives: '2000000',
    }),
    liquid('characters of two halves cut out', '{{ text | slice: 1, 3 }}', {
      event: () => ({ text: filled('😀', 4_000_000) }),
      gives: '😀😀😀',
    }),
    liquid(
      'a part at the largest places',
      '[{{ "abc" | slice: low, high }}{{ "abc" | slice: high, high }}]',
      {
        event: () => ({ low: -1e308, high: 1e308 }),
        gives: '[]',
      },
    ),
    liquid('a text cut to less than nothing', '{{ "abc" | truncate: -5 }}|{{ "abc" | truncatewords: -5 }}', {
      gives: '...|abc',
    }),
    liquid('spaces without end', '{{ text | squish | size }}', {
      event: () => ({ text: `a${filled(' ', 4_000_000)}b` }),
      gives: '3',
    }),
    liquid('brackets escaped', '{{ text | escape }}', {
      event: () => ({ text: filled('<', LONGEST) }),
      stops: /escape: the result is longer than 16777216 characters|took too long/,
    }),
    liquid('ampersands escaped once', '{{ text | escape_once }}', {
      event: () => ({ text: filled('&', LONGEST) }),
      stops: /escape_once: the result is longer than 16777216 characters|took too long/,
    }),
    liquid('line breaks as HTML', '{{ text | newline_to_br }}', {
      event: () => ({ text: filled('\n', LONGEST) }),
      stops: /newline_to_br: the result is longer than 16777216 characters|took too long/,
    }),
    liquid('tags of HTML that never close', '{{ tags | strip_html | size }} {{ open | strip_html | size }}', {
      event: () => ({ tags: filled('<script ', 2_400_000), open: filled('<', 1_000_000) }),
      gives: '2400000 1000000',
    }),
    liquid('signs made into a slug', '{{ text | slugify | size }}', {
      event: () => ({ text: filled('a-', 500_000) }),
      gives: '499999',
    }),
    liquid('quotes for an address', '{{ text | url_encode }}', {
      event: () => ({ text: filled("'", LONGEST) }),
      stops: /url_encode: the result is longer than 16777216 characters|took too long/,
    }),
    liquid('characters of two halves for an address', '{{ text | uri_escape }}', {
      event: () => ({ text: filled('😀', LONGEST) }),
      stops: /uri_escape: the result is longer than 16777216 characters/,
    }),
    liquid('codes out of an address', '{{ text | url_decode | size }}', {
      event: () => ({ text: filled('%41x', 4_000_000) }),
      gives: '2000000',
    }),
    liquid('codes that are no text', '{{ text | url_decode | base64_encode | size }}', {
      event: () => ({ text: filled('%80a', 4_000_000) }),
      gives: '2666668',
    }),
    liquid('bytes that are no text', '{{ text | base64_decode | sha256 }}', {
      event: () => ({ text: Buffer.alloc(2_000_000, 'a\u0080', 'latin1').toString('base64') }),
      gives: '04047101d3dd8165d97192c2603d2d26bed0c10c2b533dee0aa5dbcf45fb4f1c',
    }),
    liquid('a text too long as base64', '{{ text | base64_encode }}', {
      event: () => ({ text: filled('a', LONGEST) }),
      stops: /base64_encode: a text of 22369620 characters is too long/,
    }),
    liquid(
      'digests of a long text for ever',
      '{% for i in (1..100000) %}{% assign x = text | hmac_sha512: text %}{% endfor %}',
      {
        event: () => ({ text: filled('a', LONGEST) }),
        stops: TIME,
      },
    ),
  ],
};
