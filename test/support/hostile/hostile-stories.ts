import type { JsonObject } from '../../../src/platform/json.js';
import { agent, smallExport } from '../stories.js';
import { filled } from './hostile-data.js';

/** A story whose transformation is hostile, what it is called with, and what its dead letter says. */
export interface HostileStory {
  /** A name of FAMILIES. */
  family: string;
  /** Options of the transformation behind the webhook. */
  options: JsonObject;
  formulas?: boolean;
  body?: JsonObject;
  error: RegExp;
}

const messageOnly = (text: string): JsonObject => ({ mode: 'message_only', payload: { a: text } });

/** One for each family. */
export const HOSTILE_STORIES: readonly HostileStory[] = [
  {
    family: 'Liquid that loops and grows',
    options: messageOnly(
      '{% for i in (1..99) %}{% assign a = none | push: a | push: a %}{% endfor %}{{ a }}',
    ),
    error: /^payload\.a: The value is larger than 16777216 characters \(line 1, column \d+\)$/,
  },
  {
    family: 'Liquid filters on long texts',
    options: messageOnly('{{ .webhook_1.body.text | newline_to_br | newline_to_br | size }}'),
    body: { text: filled('\n', 3_000_000) },
    error:
      /^payload\.a: (?:newline_to_br: the result is longer than 16777216 characters|The template took too long to render) \(line 1, column 1\)$/,
  },
  {
    family: 'Liquid filters on large and awkward values',
    options: messageOnly('{{ .webhook_1.body.text | regex_replace: "(a*)(a*)\\2\\1[bc]", "" }}'),
    body: { text: filled('a', 500_000) },
    error: /^payload\.a: The template took too long to render \(line 1, column 1\)$/,
  },
  {
    family: 'Liquid that is hard to read',
    options: messageOnly(`{{ ${'a['.repeat(5_000)}`),
    error: /^payload\.a: .*not closed.* \(line 1, column 1\)$/,
  },
  {
    family: 'Liquid that tries to get out',
    options: messageOnly('{% include "/etc/passwd" %}'),
    error: /^payload\.a: tag "include" not found \(line 1, column 1\)$/,
  },
  {
    family: 'formulas that loop and grow',
    formulas: true,
    options: messageOnly('=SIZE(FLAT_MAP(webhook_1.body.list, LAMBDA(x, webhook_1.body.list)))'),
    body: { list: Array.from({ length: 20_000 }, () => 1) },
    error: /^payload\.a: FLAT_MAP: The formula takes more than 2000000 steps \(line 1, column 7\)$/,
  },
  {
    family: 'functions on large and awkward values',
    formulas: true,
    options: messageOnly('=JWT_SIGN(webhook_1.body, "key", "constructor")'),
    error: /^payload\.a: JWT_SIGN: the algorithm "constructor" is not HS256, .* \(line 1, column 2\)$/,
  },
  {
    family: 'formulas that are hard to read',
    formulas: true,
    options: messageOnly(`=${'('.repeat(100_000)}`),
    error: /^payload\.a: The formula is nested deeper than 100 \(line 1, column 102\)$/,
  },
  {
    family: 'formulas that try to get out',
    formulas: true,
    options: messageOnly('=TO_JSON([LAMBDA(x, x)])'),
    error: /^payload\.a: TO_JSON: A LAMBDA cannot be shown as text \(line 1, column 2\)$/,
  },
  {
    family: 'options that hold many templates',
    formulas: true,
    options: {
      mode: 'message_only',
      payload: Array.from(
        { length: 400 },
        (_, n) => `=SIZE(MAP(RANGE(1, 100000), LAMBDA(x, x * x * x * x + ${n})))`,
      ),
    },
    error:
      /^payload\[\d+\]: (?:The options took longer than 5000 ms to render|.*The formula takes longer than 1000 ms.*)$/,
  },
  {
    family: 'JSONPaths that look everywhere',
    options: messageOnly(`{{ .webhook_1.body.deep | jsonpath: "$${'[0,0,0,0,0,0]'.repeat(30)}.x" }}`),
    body: { deep: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) as JsonObject },
    error: /^payload\.a: The template took too long to render \(line 1, column 1\)$/,
  },
  {
    family: 'patterns that would backtrack or grow',
    options: {
      mode: 'extract',
      matchers: [{ path: '{{ .webhook_1.body.text }}', regexp: '(a*)(a*)\\2\\1[bc]', to: 'found' }],
    },
    body: { text: filled('a', 900_000) },
    error: /^matchers\[0\]\.regexp: invalid pattern: its search takes longer than 2000 ms$/,
  },
  {
    family: 'mails made to be hard to read',
    options: messageOnly('{{ .webhook_1.body.mail | eml_parse }}'),
    body: { mail: `Content-Type: multipart/mixed; boundary=b\n\n${filled('--b\n\nx\n', 700_000)}` },
    error: /^payload\.a: eml_parse: the mail has too many parts \(line 1, column 1\)$/,
  },
  {
    family: 'documents made to be hard to read',
    formulas: true,
    options: messageOnly('=JSON_PARSE(webhook_1.body.text)'),
    body: { text: filled('[', 3_000_000) },
    error:
      /^payload\.a: JSON_PARSE: JSON nested deeper than 1200 levels cannot be read \(line 1, column 2\)$/,
  },
];

/** A webhook and a transformation behind it. */
export function storyOf(
  name: string,
  { options, formulas = false }: Pick<HostileStory, 'options' | 'formulas'>,
) {
  return smallExport({
    name,
    ...(formulas ? { schema_version: 18, standard_lib_version: '28' } : {}),
    agents: [
      agent('Agents::WebhookAgent', '1', { path: name, secret: 'open sesame', verbs: 'post' }),
      agent('Agents::EventTransformationAgent', '2', options),
    ],
    links: [{ source: 0, receiver: 1 }],
  });
}
