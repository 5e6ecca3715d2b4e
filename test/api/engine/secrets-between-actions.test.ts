import { createHmac, createHash, generateKeyPairSync } from 'node:crypto';
import type { JsonObject } from '../../../src/platform/json.js';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.js';
import { openedFor } from '../../support/opened.js';
import { everythingShown, everythingStored, leaksOf } from '../../support/secrets.js';
import { type ShortAgent, storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const SECRET = 'Tq7 zebra/QUARTZ+"91"';
const KEY = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}).privateKey;
const STORAGE_KEY = Buffer.from('bytes of a key that are sent in base64').toString('base64');

const stores = useStores();
let target: HttpTarget;
const fabula = useFabula(stores);

beforeEach(async () => {
  target = await startHttpTarget({ rules: { '/take': { body: { taken: true } } } });
  const { account, inner } = fabula;
  await inner.setCredential(account.team.id, 'C1', SECRET);
  await inner.setCredential(account.team.id, 'Private key', KEY);
  await inner.setCredential(account.team.id, 'storage', STORAGE_KEY);
});
afterEach(() => target.close());
let paths = 0;

/** Imports a story whose webhook is `Receive`, calls it, and gives what arrived at the target. */
async function sentBy(agents: Record<string, ShortAgent>, links: string[], overrides: JsonObject = {}) {
  paths += 1;
  const receive: ShortAgent = ['Webhook', { path: `p${paths}`, secret: 'secret-of-hook', verbs: 'post' }];
  const guid = String(paths).padStart(32, '9');
  const data = storyOf({ Receive: receive, ...agents }, links, { guid, name: `S${paths}`, ...overrides });
  const story = await fabula.importStory(data);
  await fabula.fire(story.webhooks['Receive']!, { to: 'world' });
  await fabula.settled();
  expect(await fabula.deadLetters()).toEqual([]);
  return { story, requests: target.requests };
}

async function expectNothingLeft(...storyIds: number[]) {
  for (const secret of [SECRET, KEY.slice(40, 80)]) {
    expect(leaksOf(secret, await everythingStored(stores))).toEqual([]);
    for (const id of storyIds) expect(leaksOf(secret, await everythingShown(fabula, id))).toEqual([]);
  }
}

const message = (payload: JsonObject): ShortAgent => [
  'EventTransformation',
  { mode: 'message_only', payload },
];
const post = (options: JsonObject): ShortAgent => [
  'HTTPRequest',
  { url: `${target.url}/take`, method: 'post', ...options },
];

describe.each(['formula', 'liquid'] as const)('a token that goes from action to action (%s)', (language) => {
  const token = language === 'formula' ? 'Bearer <<CREDENTIAL.C1>>' : 'Bearer {% credential C1 %}';
  const pill = (path: string) => (language === 'formula' ? `<<${path}>>` : `{{ .${path} }}`);
  const overrides: JsonObject =
    language === 'formula' ? {} : { schema_version: 3, standard_lib_version: null };

  test('is sent by a request after a transformation', async () => {
    const { story, requests } = await sentBy(
      {
        Token: message({ header: token, nested: { list: [token] } }),
        Send: post({
          headers: { authorization: pill('token.header') },
          payload: { token: pill('token.header'), all: pill('token.nested') },
        }),
      },
      ['Receive > Token > Send'],
      overrides,
    );
    expect(requests[0]!.headers['authorization']).toBe(`Bearer ${SECRET}`);
    const body = JSON.parse(requests[0]!.text) as JsonObject;
    expect(body['token']).toBe(`Bearer ${SECRET}`);
    expect(JSON.stringify(body['all'])).toContain('zebra');
    await expectNothingLeft(story.id);
  });

  test('is sent by a story that was called with it', async () => {
    paths += 1;
    const called = await fabula.importStory(
      storyOf(
        {
          Entry: ['Webhook', { path: `called${paths}`, secret: 'secret-of-called', verbs: 'post' }],
          Send: post({
            headers: { authorization: pill(language === 'formula' ? 'entry.body.token' : 'entry.token') },
          }),
        },
        ['Entry > Send'],
        {
          ...overrides,
          name: `Called ${language}`,
          guid: String(paths).padStart(32, '7'),
          send_to_story_enabled: true,
          entry_agent_guid: 'Entry',
          exit_agent_guids: ['Send'],
        },
      ),
    );
    const payload = { token };
    const send_payload_as_body = language === 'formula';
    const { story, requests } = await sentBy(
      { Call: ['SendToStory', { story: `Called ${language}`, payload, send_payload_as_body }] },
      ['Receive > Call'],
      overrides,
    );
    expect(requests.map(({ headers }) => headers['authorization'])).toEqual([`Bearer ${SECRET}`]);
    await expectNothingLeft(story.id, called.id);
  });

  test('is sent after it went through explode and implode', async () => {
    const { story, requests } = await sentBy(
      {
        Tokens: message({ list: [{ t: token }, { t: 'two' }] }),
        Each: [
          'EventTransformation',
          {
            mode: 'explode',
            path: language === 'formula' ? '=tokens.list' : '{{ .tokens.list }}',
            to: 'one',
          },
        ],
        All: [
          'EventTransformation',
          {
            mode: 'implode',
            item_path: language === 'formula' ? '=each.one' : '{{ .each.one }}',
            guid_path: pill('each.guid'),
            size_path: pill('each.size'),
          },
        ],
        Send: post({ payload: { all: language === 'formula' ? '=all' : '{{ .all | as_object }}' } }),
      },
      ['Receive > Tokens > Each > All > Send'],
      overrides,
    );
    expect(requests).toHaveLength(1);
    expect(requests[0]!.text).toContain(JSON.stringify(`Bearer ${SECRET}`).slice(1, -1));
    await expectNothingLeft(story.id);
  });
});

test('a large event, which a thread processes, passes its token on too', async () => {
  const { story, requests } = await sentBy(
    {
      Make: message({ ballast: '=REPEAT("x", 400000)' }),
      Token: message({
        made: '=HEX_ENCODE(CREDENTIAL.C1 & SIZE(make.ballast))',
        up: '=UPCASE(CREDENTIAL.C1)',
        ballast: '=make.ballast',
      }),
      Send: post({
        headers: { 'x-it': '<<token.made>>', 'x-up': '<<token.up>>', 'x-size': '=SIZE(token.ballast)' },
      }),
    },
    ['Receive > Make > Token > Send'],
  );
  const { headers } = requests[0]!;
  expect([headers['x-it'], headers['x-up'], headers['x-size']]).toEqual([
    Buffer.from(`${SECRET}400000`).toString('hex'),
    '[CREDENTIAL C1]',
    '400000',
  ]);
  await expectNothingLeft(story.id);
});

test('a loop sends the secrets of the list it iterates over', async () => {
  const { story, requests } = await sentBy(
    {
      Tokens: message({ list: ['<<CREDENTIAL.C1>>', 'plain'] }),
      Send: post({ loop: '=tokens.list', headers: { 'x-token': '<<URL_ENCODE(LOOP.value)>>' } }),
    },
    ['Receive > Tokens > Send'],
  );
  const encoded = encodeURIComponent(SECRET).replaceAll('%20', '+');
  expect(requests.map(({ headers }) => headers['x-token'])).toEqual([encoded, 'plain']);
  await expectNothingLeft(story.id);
});

/** A formula in a header, and the result for the plain secret. */
const COMPUTED: [what: string, formula: string, wanted: () => string][] = [
  ['base64', 'BASE64_ENCODE("me:" & CREDENTIAL.C1)', () => Buffer.from(`me:${SECRET}`).toString('base64')],
  ['base64url', 'BASE64URL_ENCODE(CREDENTIAL.C1)', () => Buffer.from(SECRET).toString('base64url')],
  [
    'base64 twice',
    'BASE64_ENCODE(BASE64_ENCODE(CREDENTIAL.C1))',
    () => Buffer.from(Buffer.from(SECRET).toString('base64')).toString('base64'),
  ],
  ['hexadecimal digits', 'HEX_ENCODE("a" & CREDENTIAL.C1)', () => Buffer.from(`a${SECRET}`).toString('hex')],
  [
    'a digest',
    'SHA256(CREDENTIAL.C1 & "salt")',
    () => createHash('sha256').update(`${SECRET}salt`).digest('hex'),
  ],
  [
    'an HMAC with it as the key',
    'HMAC_SHA256("text of the body", CREDENTIAL.C1)',
    () => createHmac('sha256', SECRET).update('text of the body').digest('hex'),
  ],
  [
    'an HMAC with a key that is in base64',
    'HMAC_SHA256_BASE64("text", BASE64_DECODE(CREDENTIAL.storage))',
    () => createHmac('sha256', Buffer.from(STORAGE_KEY, 'base64')).update('text').digest('base64'),
  ],
  [
    'an HMAC of an HMAC, as cloud signatures are',
    'HMAC_SHA256("region", HMAC_SHA256("20260101", "AWS4" & CREDENTIAL.C1))',
    () =>
      createHmac('sha256', createHmac('sha256', `AWS4${SECRET}`).update('20260101').digest('hex'))
        .update('region')
        .digest('hex'),
  ],
  [
    'a token signed with it',
    'JWT_SIGN({iss: "me"}, CREDENTIAL.C1, "HS256")',
    () => {
      const parts = ['{"alg":"HS256"}', '{"iss":"me"}'];
      const content = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
      return `${content}.${createHmac('sha256', SECRET).update(content).digest('base64url')}`;
    },
  ],
  [
    'without the white space at its ends',
    'HEX_ENCODE(TRIM(" " & CREDENTIAL.C1 & "\\n"))',
    () => Buffer.from(SECRET).toString('hex'),
  ],
  [
    'put into a text',
    'HEX_ENCODE(REPLACE("k=KEY;", "KEY", CREDENTIAL.C1))',
    () => Buffer.from(`k=${SECRET};`).toString('hex'),
  ],
  [
    'chosen',
    'HEX_ENCODE(IF(receive.body.to = "world", CREDENTIAL.C1, "none"))',
    () => Buffer.from(SECRET).toString('hex'),
  ],
  [
    'of a list',
    'HEX_ENCODE(JOIN([CREDENTIAL.C1, "b"], ":"))',
    () => Buffer.from(`${SECRET}:b`).toString('hex'),
  ],
  [
    'as JSON that was read again',
    'HEX_ENCODE(JSON_PARSE(TO_JSON({a: CREDENTIAL.C1})).a)',
    () => Buffer.from(SECRET).toString('hex'),
  ],
  [
    'as JSON inside JSON',
    'HEX_ENCODE(TO_JSON({a: TO_JSON({b: CREDENTIAL.C1})}))',
    () => Buffer.from(JSON.stringify({ a: JSON.stringify({ b: SECRET }) })).toString('hex'),
  ],
  ['as a query', 'TO_QUERY({a: CREDENTIAL.C1, b: "x y"})', () => `a=${encodeURIComponent(SECRET)}&b=x%20y`],
];

test.each(COMPUTED)('a formula in a request gives what the secret gives: %s', async (_w, text, wanted) => {
  const { story, requests } = await sentBy({ Send: post({ headers: { 'x-it': `=${text}` } }) }, [
    'Receive > Send',
  ]);
  expect(requests[0]!.headers['x-it']).toBe(wanted());
  // Over an event it is the same.
  target.clear();
  const later = await sentBy(
    { Make: message({ made: `=${text}` }), Send: post({ headers: { 'x-it': '<<make.made>>' } }) },
    ['Receive > Make > Send'],
  );
  expect(target.requests[0]!.headers['x-it']).toBe(wanted());
  await expectNothingLeft(story.id, later.story.id);
});

const LIQUID: [what: string, template: string, wanted: () => string][] = [
  [
    'base64',
    '{{ .CREDENTIAL.C1 | prepend: "me:" | base64_encode }}',
    () => Buffer.from(`me:${SECRET}`).toString('base64'),
  ],
  [
    'an HMAC over a capture',
    '{% capture key %}{% credential C1 %}{% endcapture %}{{ "text" | hmac_sha1: key }}',
    () => createHmac('sha1', SECRET).update('text').digest('hex'),
  ],
  [
    'an address',
    '{{ .CREDENTIAL.C1 | url_encode }}',
    () => encodeURIComponent(SECRET).replaceAll('%20', '+'),
  ],
];

test.each(LIQUID)(
  'a Liquid template in a request gives what the secret gives: %s',
  async (_w, text, wanted) => {
    const { requests } = await sentBy({ Send: post({ headers: { 'x-it': text } }) }, ['Receive > Send'], {
      schema_version: 3,
      standard_lib_version: null,
    });
    expect(requests[0]!.headers['x-it']).toBe(wanted());
  },
);

describe('a private key with line ends', () => {
  const BODIES: [string, JsonObject][] = [
    ['in an object', { payload: { key: '<<CREDENTIAL["Private key"]>>' } }],
    ['in an object that a formula makes', { payload: '={key: CREDENTIAL["Private key"]}' }],
    ['in JSON that a formula writes', { payload: '=TO_JSON({key: CREDENTIAL["Private key"]})' }],
    ['in JSON that a template writes', { payload: '{"key": <<TO_JSON(CREDENTIAL["Private key"])>>}' }],
    [
      'in an object that is shown in text',
      { payload: '<<{key: CREDENTIAL["Private key"]}>>', content_type: 'text' },
    ],
  ];
  test.each(BODIES)('stays right %s', async (_what, options) => {
    const { story, requests } = await sentBy({ Send: post({ content_type: 'json', ...options }) }, [
      'Receive > Send',
    ]);
    expect(JSON.parse(requests[0]!.text)).toEqual({ key: KEY });
    await expectNothingLeft(story.id);
  });

  test('stays right in a form and in parts', async () => {
    const payload = { key: '<<CREDENTIAL["Private key"]>>' };
    await sentBy({ Send: post({ content_type: 'form', payload }) }, ['Receive > Send']);
    expect(new URLSearchParams(target.requests[0]!.text).get('key')).toBe(KEY);
    target.clear();
    await sentBy({ Send: post({ content_type: 'data', payload }) }, ['Receive > Send']);
    expect(target.requests[0]!.text.replaceAll('\r\n', '\n')).toContain(KEY.trim());
  });
});

test('basic authentication, the query and the address are encoded after the secret is known', async () => {
  const auth = `Basic ${Buffer.from(`me:${SECRET}`).toString('base64')}`;
  await sentBy({ Send: post({ basic_auth: ['me', '<<CREDENTIAL.C1>>'] }) }, ['Receive > Send']);
  await sentBy({ Send: post({ basic_auth: 'me:<<CREDENTIAL.C1>>' }) }, ['Receive > Send']);
  await sentBy({ Send: post({ method: 'get', query_params: { q: '<<CREDENTIAL.C1>>' } }) }, [
    'Receive > Send',
  ]);
  await sentBy({ Send: post({ method: 'get', payload: { '<<1>>': '<<CREDENTIAL.C1>>' } }) }, [
    'Receive > Send',
  ]);
  expect(target.requests.slice(0, 2).map(({ headers }) => headers['authorization'])).toEqual([auth, auth]);
  expect(target.requests[2]!.query.get('q')).toBe(SECRET);
  expect([...target.requests[3]!.query.values()]).toEqual([SECRET]);
});

test('a reference without this server’s signature stays text', async () => {
  const forged = `~fabula-secret~0${Buffer.concat([Buffer.alloc(16), Buffer.from('[1,"C1"]')]).toString('base64url')}~`;
  const { requests } = await sentBy({ Send: post({ payload: { it: forged, real: '<<CREDENTIAL.C1>>' } }) }, [
    'Receive > Send',
  ]);
  expect(JSON.parse(requests[0]!.text)).toEqual({ it: forged, real: SECRET });
});

test('a reference in a request from outside stays text', async () => {
  const reference = await fabula.inner.referenceOf({ team: fabula.account.team.id, credential: 'C1' });
  paths += 1;
  const story = await fabula.importStory(
    storyOf(
      {
        Receive: ['Webhook', { path: `in${paths}`, secret: 'secret-of-hook', verbs: 'post' }],
        Send: post({ payload: { it: '<<receive.body.it>>', also: '<<CREDENTIAL.C1>>' } }),
      },
      ['Receive > Send'],
      { guid: 'b'.repeat(32), name: 'In' },
    ),
  );
  await fabula.fire(story.webhooks['Receive']!, { it: reference });
  await fabula.settled();
  expect(JSON.parse(target.requests[0]!.text)).toEqual({ it: '[credential C1]', also: SECRET });
});

test('a reference of another team is sent as plain text', async () => {
  const [mine, other] = [openedFor({ C1: 'one-secret' }, 1), openedFor({ C1: 'other-secret' }, 2)];
  const reference = mine.reference('C1');
  expect(await mine.secrets.open({ a: reference })).toEqual({ a: 'one-secret' });
  expect(await other.secrets.open({ a: reference })).toEqual({ a: reference });
});
