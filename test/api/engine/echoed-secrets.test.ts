import * as fc from 'fast-check';
import { createFormFinder } from '../../../src/engine/secrets/redaction/form-finder.js';
import { type HttpTarget, type ReceivedRequest, startHttpTarget } from '../../support/http-target.js';
import { openedFor } from '../../support/opened.js';
import { everythingShown, everythingStored, leaksOf } from '../../support/secrets.js';
import { storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const SECRET = 'Tq7 zebra/QUARTZ+"91" <&> ü';
const stores = useStores();
let target: HttpTarget;
const fabula = useFabula(stores);

const secretOf = ({ text }: ReceivedRequest) => (JSON.parse(text) as { token: string }).token;
const html = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const ascii = (json: string) =>
  json.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** How servers say back what they were sent. */
const ECHOES: Record<string, (secret: string) => { body: Buffer; type?: string }> = {
  'as it is': (s) => ({ body: Buffer.from(`you sent ${s}, thanks`), type: 'text/plain' }),
  'as JSON': (s) => ({ body: Buffer.from(JSON.stringify({ a: [s], deep: { b: `x${s}` } })) }),
  'as a key': (s) => ({ body: Buffer.from(JSON.stringify({ [s]: 1, [`of ${s}`]: 2 })) }),
  'as JSON in ASCII': (s) => ({ body: Buffer.from(ascii(JSON.stringify({ a: s }))), type: 'text/plain' }),
  'as JSON inside JSON': (s) => ({ body: Buffer.from(JSON.stringify({ raw: JSON.stringify({ a: s }) })) }),
  'as HTML': (s) => ({ body: Buffer.from(`<p>${html(s)}</p>`), type: 'text/html' }),
  'as XML': (s) => ({ body: Buffer.from(`<a t="${html(s)}">${html(s)}</a>`), type: 'text/xml' }),
  'as a form': (s) => ({ body: Buffer.from(new URLSearchParams({ a: s }).toString()), type: 'text/plain' }),
  'as an address': (s) => ({ body: Buffer.from(JSON.stringify({ url: `/x?a=${encodeURIComponent(s)}` })) }),
  'in base64': (s) => ({ body: Buffer.from(JSON.stringify({ a: base64(s), b: base64(`me:${s}`) })) }),
  'in base64 twice': (s) => ({ body: Buffer.from(JSON.stringify({ a: base64(base64(s)) })) }),
  'in hexadecimal digits': (s) => ({
    body: Buffer.from(JSON.stringify({ a: Buffer.from(s).toString('hex') })),
  }),
  'in upper and lower case': (s) => ({
    body: Buffer.from(JSON.stringify([s.toUpperCase(), s.toLowerCase()])),
  }),
  'as bytes that are no text': (s) => ({
    body: Buffer.concat([Buffer.from([0, 255, 1]), Buffer.from(s), Buffer.from([0])]),
    type: 'application/octet-stream',
  }),
  'in UTF-16': (s) => ({ body: Buffer.from(`say ${s}`, 'utf16le'), type: 'text/plain; charset=utf-16le' }),
};

beforeEach(async () => {
  target = await startHttpTarget({
    rules: {
      '/headers': (request) => ({
        headers: {
          'x-you-sent': encodeURIComponent(secretOf(request)),
          'set-cookie': `t=${base64(secretOf(request))}`,
        },
        body: {},
      }),
    },
  });
  for (const [name, echo] of Object.entries(ECHOES)) {
    target.on(`/${encodeURIComponent(name)}`, (request) => {
      const { body, type = 'application/json' } = echo(secretOf(request));
      return { body, headers: { 'content-type': type } };
    });
  }
  await fabula.inner.setCredential(fabula.account.team.id, 'C1', SECRET);
  await fabula.inner.setCredential(fabula.account.team.id, 'pin', '4711');
  await fabula.inner.setCredential(fabula.account.team.id, 'number', '987654321');
});
afterEach(() => target.close());

async function asked(path: string, payload: object, more: object = {}) {
  const story = await fabula.importStory(
    storyOf(
      {
        Receive: ['Webhook', { path: 'go', secret: 'secret-of-hook', verbs: 'post' }],
        Ask: [
          'HTTPRequest',
          { url: `${target.url}${path}`, method: 'post', payload: payload as never, ...more },
        ],
        Copy: ['EventTransformation', { mode: 'message_only', payload: { copy: '=ask' } }],
      },
      ['Receive > Ask > Copy'],
    ),
  );
  await fabula.fire(story.webhooks['Receive']!);
  await fabula.settled();
  return { story, event: (await fabula.events())[1]?.payload };
}

async function expectNothingLeft(storyId: number, secret = SECRET) {
  expect(leaksOf(secret, await everythingStored(stores))).toEqual([]);
  expect(leaksOf(secret, await everythingShown(fabula, storyId))).toEqual([]);
}

test.each(Object.keys(ECHOES))('a secret that is sent back is not stored: %s', async (name) => {
  const { story, event } = await asked(`/${encodeURIComponent(name)}`, { token: '<<CREDENTIAL.C1>>' });
  expect(JSON.stringify(event)).toContain('200');
  await expectNothingLeft(story.id);
});

test('a secret that is sent back in headers is not stored', async () => {
  const { story } = await asked('/headers', { token: '<<CREDENTIAL.C1>>' });
  await expectNothingLeft(story.id);
});

test('short secrets, and numbers, are not stored when they come back whole', async () => {
  target.on('/short', {
    body: { pin: '4711', asNumber: 4711, list: ['4711', 987654321, '987654321'], 4711: 'key', other: 47110 },
  });
  const { event } = await asked('/short', { a: '<<CREDENTIAL.pin>>', b: '<<CREDENTIAL.number>>' });
  expect(event).toMatchObject({
    status: 200,
    body: {
      pin: '[credential pin]',
      asNumber: '[credential pin]',
      list: ['[credential pin]', '[credential number]', '[credential number]'],
      '[credential pin]': 'key',
      other: 47110,
    },
  });
});

test('a value derived from a secret is not stored when it comes back', async () => {
  target.on('/made', (request) => ({ body: { said: (JSON.parse(request.text) as { mac: string }).mac } }));
  const { event } = await asked('/made', { mac: '<<HMAC_SHA256("text", CREDENTIAL.C1)>>' });
  expect(event).toMatchObject({ body: { said: '[credential C1]' } });
});

test('the next page is asked for without a secret that the page before sent back', async () => {
  target.on('/pages', (request, count) => ({ body: { said: secretOf(request), next: count < 2 } }));
  const { story } = await asked(
    '/pages',
    { token: '<<CREDENTIAL.C1>>', before: '<<UPCASE(PAGINATE.previous_response.body.said)>>' },
    {
      pagination: { has_more: '=PAGINATE.previous_response.body.next = TRUE', output_as_single_event: true },
    },
  );
  expect(target.requests.map(({ text }) => (JSON.parse(text) as { before: string }).before)).toEqual([
    '',
    '[CREDENTIAL C1]',
  ]);
  await expectNothingLeft(story.id);
});

test('errors and log lines are without secrets', async () => {
  target.on('/refused', (request) => ({ status: 400, body: request.text }));
  const { story } = await asked('/refused', { token: '<<CREDENTIAL.C1>>' }, { fail_on_status: ['400'] });
  expect(await fabula.deadLetters()).toHaveLength(1);
  const bad = await asked2({ url: 'http://<<URL_ENCODE(CREDENTIAL.C1)>>.invalid/', method: 'get' });
  await expectNothingLeft(story.id);
  await expectNothingLeft(bad.id);
});

async function asked2(options: object) {
  const story = await fabula.importStory(
    storyOf(
      {
        Receive: ['Webhook', { path: 'go2', secret: 'secret-of-hook', verbs: 'post' }],
        Ask: ['HTTPRequest', options as never],
      },
      ['Receive > Ask'],
      { guid: 'c'.repeat(32), name: 'Second' },
    ),
  );
  await fabula.fire(story.webhooks['Receive']!);
  await fabula.settled();
  return story;
}

test('the time to search a response for secrets grows in proportion to its size', async () => {
  const { secrets, reference } = openedFor({
    a: 'a-long-secret-of-many-characters',
    b: 'another:secret/with=marks',
  });
  await secrets.open([reference('a'), reference('b')]);
  const response = Array.from({ length: 50_000 }, (_, index) => ({
    id: index,
    text: `some ordinary text ${index}`,
  }));
  const began = process.cpuUsage();
  expect(secrets.redactValue(response)).toEqual(response);
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1000).toBeLessThan(3_000);
});

test('a reference in a response of a server stays text', async () => {
  const reference = await fabula.inner.referenceOf({ team: fabula.account.team.id, credential: 'C1' });
  target.on('/reference', { body: { it: reference, forged: '~fabula-secret~0AAAA~' } });
  const { event } = await asked('/reference', { plain: 'text' });
  expect(event).toMatchObject({ body: { it: '[credential C1]', forged: '~fabula-secret~0AAAA~' } });
});

test('a secret is found at any place of a text', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 6, maxLength: 12 }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.string({ maxLength: 9 }), { minLength: 1, maxLength: 6 }),
      (forms, between) => {
        const text = between.map((part, index) => part + (forms[index % forms.length] ?? '')).join('');
        const found = createFormFinder(forms).replace(text, () => '\u0000');
        expect(forms.filter((form) => !form.includes('\u0000') && found.includes(form))).toEqual([]);
      },
    ),
  );
});

test('messages are without short secrets, too', async () => {
  const { secrets, reference } = openedFor({ pin: '4711', odd: 'a-b+' });
  await secrets.open([reference('pin'), reference('odd')]);
  expect(secrets.redactText('headers: "4711" and (a-b+), not 47110')).toBe(
    'headers: "[credential pin]" and ([credential odd]), not 47110',
  );
});
