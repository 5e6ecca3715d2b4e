import { type HttpTarget, startHttpTarget } from '../../support/http-target.js';
import { everythingShown, everythingStored, leaksOf } from '../../support/secrets.js';
import { type ShortAgent, storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const SECRET = 'Tq7-zebra-QUARTZ-91x';
const stores = useStores();
let target: HttpTarget;
const fabula = useFabula(stores);

beforeEach(async () => {
  target = await startHttpTarget({ rules: { '/take': { body: { taken: true } } } });
  await fabula.inner.setCredential(fabula.account.team.id, 'C1', SECRET);
  await fabula.inner.setCredential(fabula.account.team.id, 'C2', 'nothing-of-the-kind-at-all');
});
afterEach(() => target.close());

const WEBHOOK: ShortAgent = ['Webhook', { path: 'go', secret: 's3cret-of-hook', verbs: 'post' }];

/** A webhook, an action with these options, and one that copies its event. */
async function ran(type: string, options: Record<string, unknown>, language: 'formula' | 'liquid') {
  const schema = language === 'liquid' ? { schema_version: 3, standard_lib_version: null } : {};
  const story = await fabula.importStory(
    storyOf(
      {
        Receive: WEBHOOK,
        Act: [type, options as never],
        Copy: [
          'EventTransformation',
          { mode: 'message_only', payload: { copy: language === 'liquid' ? '{{ .act }}' : '<<act>>' } },
        ],
      },
      ['Receive > Act > Copy'],
      schema,
    ),
  );
  await fabula.fire(story.webhooks['Receive']!);
  await fabula.settled();
  return story;
}

const message = (payload: unknown) => ({ mode: 'message_only', payload });
const formula = (text: string) => message({ x: `=${text}` });

const FORMULAS: Record<string, string> = {
  'as it is': 'CREDENTIAL.C1',
  'the key of an object': '{(CREDENTIAL.C1): 1}',
  'upper case': 'UPCASE(CREDENTIAL.C1)',
  'lower case': 'DOWNCASE(CREDENTIAL.C1)',
  'a list of pieces': 'SPLIT(CREDENTIAL.C1, "-")',
  'a list of letters': 'SPLIT(CREDENTIAL.C1, "")',
  'two halves': '[SLICE(CREDENTIAL.C1, 0, 10), SLICE(CREDENTIAL.C1, 10, 10)]',
  'the left and the right': '[LEFT(CREDENTIAL.C1, 10), RIGHT(CREDENTIAL.C1, 10)]',
  backwards: 'REVERSE(CREDENTIAL.C1)',
  'hexadecimal digits': 'HEX_ENCODE(CREDENTIAL.C1)',
  base64: 'BASE64_ENCODE(CREDENTIAL.C1)',
  'base64 twice': 'BASE64_ENCODE(BASE64_ENCODE(CREDENTIAL.C1))',
  'base64 there and back': 'BASE64_DECODE(BASE64_ENCODE(CREDENTIAL.C1))',
  'an address': 'URL_ENCODE(CREDENTIAL.C1)',
  'with one letter replaced': 'REPLACE(CREDENTIAL.C1, "z", "zz")',
  'matches of a pattern': 'REGEX_EXTRACT(CREDENTIAL.C1, ".")',
  'a pattern replaced': 'REGEX_REPLACE(CREDENTIAL.C1, "(.)", "\\1 ")',
  'each letter by a lambda': 'MAP_LAMBDA(SPLIT(CREDENTIAL.C1, ""), LAMBDA(c, c & " "))',
  'JSON of JSON': 'TO_JSON({a: TO_JSON({b: CREDENTIAL.C1})})',
  'a claim': 'JWT_DECODE(JWT_SIGN({sub: CREDENTIAL.C1}, "key", "HS256"))',
  'GZIP there and back': 'GUNZIP(GZIP(CREDENTIAL.C1))',
  'letters by their place': 'MAP_LAMBDA(RANGE(0, 19), LAMBDA(i, SLICE(CREDENTIAL.C1, i, 1)))',
  'the query of an address': 'URL_PARSE("https://x.test/?a=" & CREDENTIAL.C1)',
  'a name that is computed': 'CREDENTIAL["C" & "1"]',
  'in another letter case by hand': 'CAPITALIZE(CREDENTIAL.C1) & TITLECASE(CREDENTIAL.C1)',
};

test.each(Object.entries(FORMULAS))('a formula stores no secret: %s', async (_what, text) => {
  const story = await ran('EventTransformation', formula(text), 'formula');
  const stored = await everythingStored(stores);
  const shown = await everythingShown(fabula, story.id);
  expect(leaksOf(SECRET, stored)).toEqual([]);
  expect(leaksOf(SECRET, shown)).toEqual([]);
  expect(shown).not.toContain('~fabula-secret~');
});

const FILTERS: Record<string, string> = {
  'as it is': '{% credential C1 %}',
  'upper case': '{{ .CREDENTIAL.C1 | upcase }}',
  pieces: '{{ .CREDENTIAL.C1 | split: "-" | join: " " }}',
  letters: '{{ .CREDENTIAL.C1 | split: "" | join: " " }}',
  'two halves': '{{ .CREDENTIAL.C1 | slice: 0, 10 }} {{ .CREDENTIAL.C1 | slice: 10, 10 }}',
  'base64 twice': '{{ .CREDENTIAL.C1 | base64_encode | base64_encode }}',
  'a letter replaced': '{{ .CREDENTIAL.C1 | replace: "z", "zz" }}',
  'a pattern replaced': '{{ .CREDENTIAL.C1 | regex_replace: "(.)", "\\1 " }}',
  'captured, and cut': '{% capture c %}{% credential C1 %}{% endcapture %}{{ c | slice: 0, 12 }}',
  'a loop over its letters':
    '{% assign s = .CREDENTIAL.C1 | split: "" %}{% for c in s %}{{ c }} {% endfor %}',
};

test.each(Object.entries(FILTERS))('a Liquid template stores no secret: %s', async (_what, text) => {
  const story = await ran('EventTransformation', message({ x: text, [text]: 1 }), 'liquid');
  const stored = await everythingStored(stores);
  const shown = await everythingShown(fabula, story.id);
  expect(leaksOf(SECRET, stored)).toEqual([]);
  expect(leaksOf(SECRET, shown)).toEqual([]);
  expect(shown).not.toContain('~fabula-secret~');
});

test('a function that cannot be deferred sees a marker, and the log names both once', async () => {
  const options = message({
    a: '=UPCASE(CREDENTIAL.C1)',
    b: '=UPCASE("x" & CREDENTIAL.C1)',
    c: '<<SIZE(CREDENTIAL.C1)>>',
  });
  await ran('EventTransformation', options, 'formula');
  const [, act] = await fabula.events();
  expect(act!.payload).toEqual({
    a: '[CREDENTIAL C1]',
    b: 'X[CREDENTIAL C1]',
    c: String('[credential C1]'.length),
  });
  const warnings = (await fabula.logs()).filter(({ message: text }) => text.includes('UPCASE'));
  expect(warnings).toMatchObject([
    { agent: 'Act', level: 3, message: expect.stringContaining('"C1"') as string },
  ]);
});

test('comparisons tell nothing of a secret', async () => {
  const half = SECRET.slice(0, 10);
  const questions = {
    equal: `=CREDENTIAL.C1 = "${SECRET}"`,
    hash: `=SHA256(CREDENTIAL.C1) = SHA256("${SECRET}")`,
    starts: `=STARTS_WITH(CREDENTIAL.C1, "${half}")`,
    contains: `=CONTAINS(CREDENTIAL.C1, "zebra")`,
    matches: `=MATCH(CREDENTIAL.C1, "zebra")`,
    count: `=COUNT_OF(CREDENTIAL.C1, "z")`,
    index: `=INDEX_OF(CREDENTIAL.C1, "z")`,
    length: `=SIZE(CREDENTIAL.C1) = ${SECRET.length}`,
    listed: `=INCLUDES(["${SECRET}"], CREDENTIAL.C1)`,
    keyed: `=HAS_KEY({"${SECRET}": 1}, CREDENTIAL.C1)`,
    switched: `=SWITCH(CREDENTIAL.C1, "${SECRET}", "yes", "no")`,
    unique: `=SIZE(UNIQ([CREDENTIAL.C1, "${SECRET}"]))`,
  };
  await ran('EventTransformation', message(questions), 'formula');
  const right = (await fabula.events())[1]!.payload as Record<string, unknown>;
  const others = JSON.parse(JSON.stringify(questions).replaceAll('CREDENTIAL.C1', 'CREDENTIAL.C2')) as object;
  const again = await fabula.importStory(
    storyOf(
      {
        Receive: ['Webhook', { path: 'two', secret: 's3cret-of-two', verbs: 'post' }],
        Ask: ['EventTransformation', message(others) as never],
      },
      ['Receive > Ask'],
      { name: 'Two', guid: 'e'.repeat(32) },
    ),
  );
  await fabula.fire(again.webhooks['Receive']!);
  await fabula.settled();
  const wrong = (await fabula.events()).at(-1)!.payload;
  expect(right).toEqual(wrong);
});

test('a trigger that asks for letters of a secret learns nothing', async () => {
  const rules = [
    { type: 'regex', value: 'zebra', path: '<<CREDENTIAL.C1>>' },
    { type: 'field==value', value: SECRET, path: '<<CREDENTIAL.C1>>' },
  ];
  await ran('Trigger', { rules, must_match: 1, emit_no_match: true }, 'formula');
  expect((await fabula.events())[1]!.payload).toEqual({ rule_matched: false });
});

test('an extraction by patterns finds no letter of a secret', async () => {
  const matchers = ['zebra', 'QUARTZ', '[A-Z]{6}', '.{10}'].map((regexp, index) => ({
    path: '{% credential C1 %}',
    regexp,
    to: `m${index}`,
  }));
  const story = await ran(
    'EventTransformation',
    { mode: 'extract', matchers, emit_no_match: true },
    'liquid',
  );
  expect(leaksOf(SECRET, await everythingStored(stores))).toEqual([]);
  expect(leaksOf(SECRET, await everythingShown(fabula, story.id))).toEqual([]);
});
