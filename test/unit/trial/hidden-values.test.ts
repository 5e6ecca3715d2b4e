import type { JsonValue } from '../../../src/platform/json.js';
import { createSecretHider } from '../../../src/trial/tests/keep/hidden-values.js';
import { type RecordedAnswer, ruleOf } from '../../../src/trial/tests/keep/recorded-answers.js';

const SIGNED = 'h4shh4shh4shh4shh4shh4sh';
const GUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const WORDS = {
  pass: 'yes',
  passed: 'all of the many tests',
  bypass: 'the second road',
  compass: 'north-north-west-by-west',
  tests_pass: 'failed',
  signature: 'Kind regards, Ann',
  signature_algorithm: 'rsa-sha256-with-pss-padding',
  design: 'a-design-without-a-secret',
  note: 'AKIA is a prefix; pass=3 fail=0; see https://slack.com/help and discord.com/api',
};

const hidden = (value: JsonValue) => createSecretHider([value]).value(value);

describe('stories as software: secrets in a kept test', () => {
  it.each<[JsonValue, JsonValue]>([
    [
      { access_token: 'a', token_type: 'Bearer' },
      { access_token: '<hidden access_token>', token_type: 'Bearer' },
    ],
    [
      { accessToken: 'a', 'X-API-Key': 'b' },
      { accessToken: '<hidden accesstoken>', 'X-API-Key': '<hidden x_api_key>' },
    ],
    [{ user: { Passwd: 'p', name: 'Ann' } }, { user: { Passwd: '<hidden passwd>', name: 'Ann' } }],
    [
      { tokens: ['a', 'b'], total_tokens: 7 },
      { tokens: ['<hidden tokens>', '<hidden tokens>'], total_tokens: 7 },
    ],
    [
      { otp: 123456, pin: 12, count: 3 },
      { otp: '<hidden otp>', pin: '<hidden pin>', count: 3 },
    ],
    [{ secret: { a: { b: 'c' } } }, { secret: { a: { b: '<hidden secret>' } } }],
    [{ session: { id: 'x', state: 'open' } }, { session: { id: '<hidden session_id>', state: 'open' } }],
    [[{ name: 'Authorization', value: 'x' }], [{ name: 'Authorization', value: '<hidden authorization>' }]],
    [
      { next_page_token: 'p', signature: 's', key: 'ABC-1' },
      { next_page_token: 'p', signature: 's', key: 'ABC-1' },
    ],
    [
      { pass: 'hunter2', db_pass: 'x y', signature: SIGNED, 'X-Signature': SIGNED, sig: SIGNED },
      {
        pass: '<hidden pass>',
        db_pass: '<hidden db_pass>',
        signature: '<hidden signature>',
        'X-Signature': '<hidden x_signature>',
        sig: '<hidden sig>',
      },
    ],
    // Words that look alike.
    [WORDS, WORDS],
    [
      `https://x.blob.core.windows.net/c/f?sv=2024&sig=${SIGNED}%3D`,
      'https://x.blob.core.windows.net/c/f?sv=2024&sig=<hidden sig>',
    ],
    [`key AKIA${'Q7'.repeat(8)}.`, 'key <hidden token>.'],
    [
      `https://hooks.slack.com/services/T0${'A'.repeat(7)}/B0${'B'.repeat(7)}/${'c'.repeat(24)}`,
      'https://hooks.slack.com/services/<hidden webhook>',
    ],
    [
      `https://discord.com/api/webhooks/123456789012345678/${'d'.repeat(60)}`,
      'https://discord.com/api/webhooks/<hidden webhook>',
    ],
    [
      `https://discord.com/api/v10/webhooks/123456789012345678/${'d'.repeat(60)}?wait=true`,
      'https://discord.com/api/v10/webhooks/<hidden webhook>?wait=true',
    ],
    [
      `See https://x.webhook.office.com/webhookb2/${GUID}@${GUID}/IncomingWebhook/${'e'.repeat(32)}/${GUID}/V2x_y-z1 now`,
      'See https://x.webhook.office.com/webhookb2/<hidden webhook> now',
    ],
    [
      `https://outlook.office.com/webhook/${GUID}@${GUID}/IncomingWebhook/${'e'.repeat(32)}/${GUID}`,
      'https://outlook.office.com/webhook/<hidden webhook>',
    ],
    [
      { token: '', password: null, secret: true },
      { token: '', password: null, secret: true },
    ],
    ['{"refresh_token":"a"}', '{"refresh_token":"<hidden refresh_token>"}'],
    ['access_token=abc&n=1', 'access_token=<hidden access_token>&n=1'],
    ['https://ann:pw@example.com/x?sid=1', 'https://ann:<hidden password>@example.com/x?sid=<hidden sid>'],
    ['Bearer abcdefgh12', 'Bearer <hidden token>'],
    [`see ghp_${'a'.repeat(30)}`, 'see <hidden token>'],
    ['-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----', '<hidden private_key>'],
    [{ password: '<credential db>' }, { password: '<credential db>' }],
  ])('%j', (value, shown) => {
    expect(hidden(value)).toEqual(shown);
  });

  it('hides the text of a secret wherever else it stands', () => {
    const hider = createSecretHider([{ token: 'abcdef+12345', pin: 'no' }]);
    expect(hider.value({ note: 'got abcdef+12345', no: 'no', url: '/x/abcdef%2B12345' })).toEqual({
      note: 'got <hidden token>',
      no: 'no',
      url: '/x/<hidden token>',
    });
  });

  it('leaves out headers with credentials, and the query of an address', () => {
    const recorded: RecordedAnswer = {
      action: 'Ask',
      method: 'GET',
      url: 'https://api.example.com/sessions/abcdef12345',
      status: 302,
      headers: {
        'Set-Cookie': 'a=b',
        'x-auth-token': 'abcdef12345',
        'X-Api-Key': 'k',
        'proxy-authenticate': 'p',
        Location: 'https://example.com/in?code=1#t',
        etag: 'e',
      },
      answer: { session: 'abcdef12345', n: 1 },
    };
    const hider = createSecretHider([recorded.headers, recorded.answer ?? null]);
    expect(ruleOf(recorded, hider)).toEqual({
      action: 'Ask',
      method: 'GET',
      url: '*',
      times: 1,
      status: 302,
      headers: { Location: 'https://example.com/in', etag: 'e' },
      answer: { session: '<hidden session>', n: 1 },
    });
    const open = { ...recorded, url: 'https://api.example.com/n?x=1' };
    expect(ruleOf(open, hider)).toMatchObject({ url: 'https://api.example.com/n*' });
  });
});
