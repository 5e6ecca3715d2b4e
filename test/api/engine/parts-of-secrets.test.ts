import { createTeamSecretCalls } from '../../../src/engine/secrets/team-secret-calls.js';
import { callWithSecrets } from '../../../src/language/secrets/secret-calls.js';
import { computeDeferred } from '../../../src/language/secrets/deferred-functions.js';
import { type HttpTarget, startHttpTarget } from '../../support/http-target.js';
import { openedFor } from '../../support/opened.js';
import { everythingShown, everythingStored, leaksOf } from '../../support/secrets.js';
import { storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const SECRET = 'Tq7-zebra-QUARTZ-91x';
const ENCODED = Buffer.from(SECRET).toString('hex');
const LINES = [
  '-----BEGIN KEY-----',
  'MIIEvQIBADANBgkqhkiG9w0',
  'second,third;fourth-part',
  '-----END KEY-----',
];
const PIN = '4029418754';
const stores = useStores();
let target: HttpTarget;
const fabula = useFabula(stores);

beforeEach(async () => {
  target = await startHttpTarget({
    rules: { '/echo': ({ text }) => ({ body: { said: text } }) },
  });
  const { account, inner } = fabula;
  await inner.setCredential(account.team.id, 'C1', SECRET, ['127.0.0.1']);
  await inner.setCredential(account.team.id, 'pin', PIN, ['127.0.0.1']);
});
afterEach(() => target.close());

/** Returns all that a story's author and readers see of one request with these options. */
async function shownAfter(options: object): Promise<string> {
  const story = await fabula.importStory(
    storyOf(
      {
        Receive: ['Webhook', { path: 'go', secret: 'secret-of-hook', verbs: 'post' }],
        Ask: ['HTTPRequest', { url: `${target.url}/echo`, method: 'post', ...options }],
      },
      ['Receive > Ask'],
    ),
  );
  await fabula.fire(story.webhooks['Receive']!);
  await fabula.settled();
  expect(leaksOf(SECRET, await everythingStored(stores))).toEqual([]);
  return JSON.stringify([await everythingShown(fabula, story.id), await everythingStored(stores)]);
}

test('an error of a deferred function quotes no part of a secret', async () => {
  const padded = `<<JWT_SIGN("{}", "key", "${'x'.repeat(40)}" & CREDENTIAL.C1)>>`;
  const shown = await shownAfter({ payload: { a: padded } });
  expect(shown).not.toContain(SECRET.slice(0, 6));
});

test.each([
  [
    'the name of an XML element',
    { content_type: 'xml', payload: `={("${'x'.repeat(88)} " & CREDENTIAL.C1): 1}` },
  ],
  ['the name of a header', { headers: `={("a b" & CREDENTIAL.C1): "1"}` }],
  ['a method', { method: 'a<<CREDENTIAL.C1>>' }],
])('a request that cannot be made quotes no part of a secret: %s', async (_what, options) => {
  const shown = await shownAfter(options);
  expect(shown.toLowerCase()).not.toContain(SECRET.slice(0, 6).toLowerCase());
});

test('a mail whose recipients hold a secret with separators names none of its parts', async () => {
  await fabula.inner.setCredential(fabula.account.team.id, 'key', LINES.join('\n'), ['example.com']);
  const mail = {
    recipients: ['ann@example.com', '<<CREDENTIAL.key>>', 'no address'],
    subject: 's',
    body: 'b',
  };
  const story = await fabula.importStory(
    storyOf(
      {
        Receive: ['Webhook', { path: 'go', secret: 'secret-of-hook', verbs: 'post' }],
        Mail: ['Email', { ...mail, reply_to: '<<CREDENTIAL.key>>' }],
        Nobody: ['Email', { ...mail, recipients: '<<CREDENTIAL.key>>' }],
      },
      ['Receive > Mail', 'Receive > Nobody'],
    ),
  );
  await fabula.fire(story.webhooks['Receive']!);
  await fabula.settled();
  const shown = JSON.stringify([await everythingShown(fabula, story.id), await everythingStored(stores)]);
  expect(shown).toContain('no address');
  expect(LINES.filter((line) => shown.includes(line))).toEqual([]);
});

test('a refused host does not spell out a secret as an address', async () => {
  const shown = await shownAfter({ url: 'http://<<CREDENTIAL.pin>>/', method: 'get' });
  expect(shown).toContain('[host]');
  expect(shown).not.toContain('240.44.');
});

test('a redirect to a secret written as an address does not spell it out', async () => {
  target.on('/go', (request) => ({
    status: 302,
    headers: { location: `http://${new URL(request.path, 'http://x').searchParams.get('to')}/` },
    body: '',
  }));
  const shown = await shownAfter({ url: `${target.url}/go?to=<<CREDENTIAL.pin>>`, method: 'get' });
  expect(shown).not.toContain('240.44.');
});

test('a secret is found in a response, however many values are derived from it', async () => {
  const many = Array.from({ length: 90 }, (_, index) => `<<HMAC_SHA256("${index}", CREDENTIAL.C1)>>`);
  const made = '<<BASE64_ENCODE(BASE64_ENCODE(BASE64_ENCODE("abcd" & CREDENTIAL.C1)))>>';
  const shown = await shownAfter({ payload: { many, made } });
  const thrice = [1, 2, 3].reduce((text) => Buffer.from(text).toString('base64'), `abcd${SECRET}`);
  expect(shown).not.toContain(thrice);
});

test('a request with a secret accepts only response encodings that can be read', async () => {
  await shownAfter({
    headers: { 'accept-encoding': 'zstd, gzip;q=0.5', 'x-key': '<<CREDENTIAL.C1>>' },
  });
  expect(target.requests.map(({ headers }) => headers['accept-encoding'])).toEqual(['gzip, deflate, br']);
});

const attempt = (of: () => string): string => {
  try {
    return of();
  } catch (error) {
    return String(error);
  }
};

const sign = (name: string, values: unknown[]) => {
  const { signer, reference, secrets } = openedFor({ C1: ENCODED });
  const calls = createTeamSecretCalls(1, { sign: (content) => signer.sign(content), logs: [] });
  const given = values.map((value) =>
    typeof value === 'string' ? value.replaceAll('$', reference('C1')) : value,
  );
  const run = (ready: unknown[]) => computeDeferred(name, ready);
  return { secrets, value: String(callWithSecrets({ name, values: given, secrets: calls, run })) };
};

const manyOf = (signer: ReturnType<typeof openedFor>['signer'], reference: string, count: number) => ({
  value: Array.from({ length: count }, (_, index) =>
    signer.sign({
      team: 1,
      credential: 'C1',
      call: { name: 'hmac_sha256', values: [String(index), reference] },
    }),
  ),
});

describe('a deferred function', () => {
  test.each(['url_decode', 'hex_decode', 'base64_decode', 'base64url_decode', 'unescape', 'escape_once'])(
    '%s works on a whole secret, not on one that was put behind other text',
    async (name) => {
      const joined = attempt(() => sign(name, ['%4$']).value);
      expect(joined).not.toContain('~fabula-secret~');
      const whole = sign(name, ['$']);
      expect(whole.value).toContain('~fabula-secret~');
      expect(await whole.secrets.open(whole.value)).toBe(computeDeferred(name, [ENCODED]));
    },
  );

  test('a decoder does not undo an encoder that has put text before a secret', async () => {
    const { signer, reference, secrets } = openedFor({ C1: SECRET });
    const calls = createTeamSecretCalls(1, { sign: (content) => signer.sign(content), logs: [] });
    const apply = (name: string, value: unknown) =>
      callWithSecrets({ name, values: [value], secrets: calls, run: (v) => computeDeferred(name, v) });
    const encoded = apply('base64_encode', `%4${reference('C1')}`);
    const opened = await secrets.open(String(apply('url_decode', apply('base64_decode', encoded))));
    expect(opened).not.toContain(SECRET.slice(1));
  });

  test('the algorithm of a token is no secret', () => {
    expect(() => sign('jwt_sign', ['{"a":1}', 'key', '$'])).toThrow('[credential C1]');
  });

  test.each([
    ['aes_encrypt', ['text', '$']],
    ['tines_encrypt', ['$', '0123456789abcdef0123456789abcdef']],
    ['openssl_decrypt', ['AAAA', 'aes-256-cbc', '$', 'AAAA']],
    ['rsa_sign', ['text', '$', 'SHA256']],
  ])('%s takes a whole secret as its text or key', (name, values) => {
    expect(sign(name, values).value).toContain('~fabula-secret~');
  });

  test.each([
    ['aes_encrypt', ['text', 'x$']],
    ['tines_decrypt', ['$x', '0123456789abcdef0123456789abcdef']],
    ['tines_decrypt', ['$', '0123456789abcdef0123456789abcdef']],
    ['AES_DECRYPT', ['$', '0123456789abcdef']],
    ['openssl_decrypt', ['$', 'aes-256-cbc', '0123456789abcdef', 'AAAA']],
    ['openssl_decrypt', ['AAAA', '$', '0123456789abcdef', 'AAAA']],
    ['rsa_sign', ['text', 'key', '$']],
    ['zip', ['text', 'name', '$']],
    ['unzip', ['UEs', '$']],
    ['openssl_encrypt', ['text', 'aes-256-cbc', '$']],
  ])('%s never works with a marker for a key: %j', (name, values) => {
    expect(() => sign(name, values)).toThrow(/a credential/);
  });

  test('a request with more derived values than can be searched for is not sent', async () => {
    const { secrets, signer, reference } = openedFor({ C1: SECRET });
    const { value: macs } = manyOf(signer, reference('C1'), 101);
    await expect(secrets.open(macs)).rejects.toThrow('More than 100 credential functions');
  });

  test.each([1, 100])('long values made of a secret are found, and in no error: %s', async (count) => {
    const { secrets, signer, reference } = openedFor({ C1: SECRET });
    const made = Array.from({ length: count }, (_, index) => {
      const values = [`${index}${'xyz'.repeat(200_000 / count)}${reference('C1')}`];
      return signer.sign({ team: 1, credential: 'C1', call: { name: 'base64_encode', values } });
    });
    const sent = await secrets.open(made);
    const echoed = secrets.redactValue({ a: `you sent ${SECRET}`, b: `you sent ${sent[0]}.` });
    expect(echoed).toEqual({ a: 'you sent [credential C1]', b: 'you sent [credential C1].' });
  });

  test('a response that nearly equals a long derived value is searched quickly', async () => {
    const { secrets, signer, reference } = openedFor({ C1: SECRET });
    const values = [`${'a'.repeat(500_000)}${reference('C1')}${'a'.repeat(100)}`];
    await secrets.open(signer.sign({ team: 1, credential: 'C1', call: { name: 'strip', values } }));
    const before = process.cpuUsage();
    expect(secrets.redactValue({ a: 'a'.repeat(8_000_000) })).toEqual({ a: '[credential C1]' });
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(5);
  });

  test('a loop of many requests with values made of a secret goes on', async () => {
    const { secrets, signer, reference } = openedFor({ C1: SECRET });
    const { value: macs } = manyOf(signer, reference('C1'), 300);
    for (const mac of macs) {
      const sent = await secrets.open(mac);
      expect(secrets.redactText(`you sent ${sent} of ${SECRET}`)).not.toMatch(`${sent}|${SECRET}`);
    }
  });
});
