import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import type { JsonObject } from '../../../src/platform/json.js';
import { everythingShown, everythingStored, leaksOf } from '../../support/secrets.js';
import { type ShortAgent, storyOf } from '../../support/stories.js';
import { useStores } from '../../support/stores.js';
import { useFabula } from '../../support/use-fabula.js';

const KEY = 'whsec-Tq7-zebra-QUARTZ-91x';
const BODY = '{"id":"evt_1","text":"Grüße"}';
const TIME = '1700000000';
const stores = useStores();
const fabula = useFabula(stores);
let paths = 0;

beforeEach(() => fabula.inner.setCredential(fabula.account.team.id, 'whsec', KEY));

const hmac = (text: string, key: string | Buffer = KEY, hash = 'sha256') =>
  createHmac(hash, key).update(text).digest();

/** Imports a story whose webhook keeps the raw body, and returns its address. */
async function hookWith(agents: Record<string, ShortAgent>, links: string[], overrides: JsonObject = {}) {
  paths += 1;
  const hook: ShortAgent = ['Webhook', { path: `sig${paths}`, secret: 's', verbs: 'post', raw_body: true }];
  const guid = String(paths).padStart(32, '7');
  const data = storyOf({ hook, ...agents }, links, { guid, name: `S${paths}`, ...overrides });
  const story = await fabula.importStory(data);
  return { id: story.id, address: `${fabula.url}/webhook/sig${paths}/s` };
}

async function post(address: string, headers: Record<string, string>, body = BODY): Promise<void> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  expect(response.status).toBe(201);
  await fabula.settled();
}

const trigger = (rule: JsonObject): ShortAgent => ['Trigger', { rules: [rule], emit_no_match: true }];
const formula = (path: string) => trigger({ type: 'formula', path: `=${path}` });

/** The trigger's result for each request. */
async function verdicts(
  check: string,
  requests: { headers: Record<string, string>; body?: string }[],
): Promise<unknown[]> {
  const { address } = await hookWith({ check: formula(check) }, ['hook > check']);
  for (const { headers, body } of requests) await post(address, headers, body);
  expect(await fabula.deadLetters()).toEqual([]);
  const payloads = (await fabula.events()).map(({ payload }) => payload as JsonObject);
  return payloads.filter((payload) => 'rule_matched' in payload).map((payload) => payload['rule_matched']);
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const pem = (key: typeof rsa.publicKey) => key.export({ type: 'spki', format: 'pem' }).toString();
const der = (key: typeof rsa.publicKey) => key.export({ type: 'spki', format: 'der' });
const quoted = (text: string) => JSON.stringify(text);
const SNS_TEXT = 'Message\nhi\nMessageId\n1\nTimestamp\n2026\nTopicArn\narn:x\nType\nNotification\n';
const sns = (signature: Buffer) =>
  JSON.stringify({
    Message: 'hi',
    MessageId: '1',
    Timestamp: '2026',
    TopicArn: 'arn:x',
    Type: 'Notification',
    Signature: signature.toString('base64'),
  });
const snsCheck = `RSA_VERIFY("Message\\n" & hook.body.Message & "\\nMessageId\\n" & hook.body.MessageId & "\\nTimestamp\\n" & hook.body.Timestamp & "\\nTopicArn\\n" & hook.body.TopicArn & "\\nType\\n" & hook.body.Type & "\\n", hook.body.Signature, ${quoted(pem(rsa.publicKey))}`;

type Request = { headers: Record<string, string>; body?: string };
const SENDERS: Record<string, { check: string; valid: Request; forged: Request }> = {
  GitHub: {
    check: 'HMAC_VERIFY(hook.raw_body, hook.headers["x-hub-signature-256"], CREDENTIAL.whsec)',
    valid: { headers: { 'x-hub-signature-256': `sha256=${hmac(BODY).toString('hex')}` } },
    forged: { headers: { 'x-hub-signature-256': `sha256=${hmac(BODY, 'other').toString('hex')}` } },
  },
  Stripe: {
    check:
      'HMAC_VERIFY(FIRST(FIRST(REGEX_EXTRACT(hook.headers["stripe-signature"], "t=(\\d+)"))) & "." & hook.raw_body, hook.headers["stripe-signature"], CREDENTIAL.whsec)',
    valid: {
      headers: {
        'stripe-signature': `t=${TIME},v1=${hmac('old').toString('hex')},v1=${hmac(`${TIME}.${BODY}`).toString('hex')}`,
      },
    },
    forged: { headers: { 'stripe-signature': `t=1700000001,v1=${hmac(`${TIME}.${BODY}`).toString('hex')}` } },
  },
  Slack: {
    check:
      'HMAC_VERIFY("v0:" & hook.headers["x-slack-request-timestamp"] & ":" & hook.raw_body, hook.headers["x-slack-signature"], CREDENTIAL.whsec)',
    valid: {
      headers: {
        'x-slack-request-timestamp': TIME,
        'x-slack-signature': `v0=${hmac(`v0:${TIME}:${BODY}`).toString('hex')}`,
      },
    },
    forged: {
      headers: {
        'x-slack-request-timestamp': '1',
        'x-slack-signature': `v0=${hmac(`v0:${TIME}:${BODY}`).toString('hex')}`,
      },
    },
  },
  Shopify: {
    check: 'HMAC_VERIFY(hook.raw_body, hook.headers["x-shopify-hmac-sha256"], CREDENTIAL.whsec)',
    valid: { headers: { 'x-shopify-hmac-sha256': hmac(BODY).toString('base64') } },
    forged: { headers: { 'x-shopify-hmac-sha256': hmac(BODY, 'no').toString('base64') } },
  },
  SNS: {
    check: `${snsCheck})`,
    valid: { headers: {}, body: sns(sign('sha256', Buffer.from(SNS_TEXT), rsa.privateKey)) },
    forged: { headers: {}, body: sns(sign('sha256', Buffer.from('x'), rsa.privateKey)) },
  },
  'SNS, version 1': {
    check: `${snsCheck}, "SHA1")`,
    valid: { headers: {}, body: sns(sign('sha1', Buffer.from(SNS_TEXT), rsa.privateKey)) },
    forged: { headers: {}, body: sns(sign('sha256', Buffer.from(SNS_TEXT), rsa.privateKey)) },
  },
  SendGrid: {
    check: `ECDSA_VERIFY(hook.headers["x-twilio-email-event-webhook-timestamp"] & hook.raw_body, hook.headers["x-twilio-email-event-webhook-signature"], "${der(ec.publicKey).toString('base64')}")`,
    valid: {
      headers: {
        'x-twilio-email-event-webhook-timestamp': TIME,
        'x-twilio-email-event-webhook-signature': sign(
          'sha256',
          Buffer.from(TIME + BODY),
          ec.privateKey,
        ).toString('base64'),
      },
    },
    forged: {
      headers: {
        'x-twilio-email-event-webhook-timestamp': '2',
        'x-twilio-email-event-webhook-signature': sign(
          'sha256',
          Buffer.from(TIME + BODY),
          ec.privateKey,
        ).toString('base64'),
      },
    },
  },
  Discord: {
    check: `ED25519_VERIFY(hook.headers["x-signature-timestamp"] & hook.raw_body, hook.headers["x-signature-ed25519"], "${der(ed.publicKey).subarray(-32).toString('hex')}")`,
    valid: {
      headers: {
        'x-signature-timestamp': TIME,
        'x-signature-ed25519': sign(null, Buffer.from(TIME + BODY), ed.privateKey).toString('hex'),
      },
    },
    forged: { headers: { 'x-signature-timestamp': TIME, 'x-signature-ed25519': '00'.repeat(64) } },
  },
  'GitLab, which sends the token itself': {
    check: 'SECRET_EQUAL(hook.headers["x-gitlab-token"], CREDENTIAL.whsec)',
    valid: { headers: { 'x-gitlab-token': KEY } },
    forged: { headers: { 'x-gitlab-token': `${KEY}x` } },
  },
};

describe.each(Object.entries(SENDERS))('%s', (_name, { check, valid, forged }) => {
  it('I15: its signature is verified, and a forged or missing one is not', async () => {
    const missing = valid.body === undefined ? { headers: {} } : { headers: {}, body: sns(Buffer.alloc(0)) };
    expect(await verdicts(check, [valid, forged, missing])).toEqual([true, false, false]);
  });
});

const ecdsaWith = (key: string) => `ECDSA_VERIFY(hook.raw_body, hook.headers["x-sig"], ${key})`;

it('I15: keys may be credentials, certificates’ public keys and JSON Web Keys, and ECDSA signatures two numbers', async () => {
  await fabula.inner.setCredential(fabula.account.team.id, 'public', pem(ec.publicKey));
  const signature = sign('sha256', Buffer.from(BODY), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' });
  const headers = { 'x-sig': signature.toString('base64') };
  const jwk = JSON.stringify(ec.publicKey.export({ format: 'jwk' }));
  expect(
    await verdicts(`${ecdsaWith('CREDENTIAL.public')} AND ${ecdsaWith(quoted(jwk))}`, [{ headers }]),
  ).toEqual([true]);
});

const SVIX_KEY = createHash('sha256').update('key').digest();

/** A story whose check gets its key from an action before. */
async function hookWithChosenKey() {
  await fabula.inner.setCredential(fabula.account.team.id, 'svix', SVIX_KEY.toString('base64'));
  const chosen: ShortAgent = [
    'EventTransformation',
    { mode: 'message_only', payload: { key: '=BASE64_DECODE(CREDENTIAL.svix)' } },
  ];
  const check = formula('HMAC_VERIFY("msg." & hook.raw_body, hook.headers["svix-signature"], chosen.key)');
  return hookWith({ chosen, check }, ['hook > chosen > check']);
}

it('I2: a sender cannot replace a key by a reference that this server did not sign', async () => {
  const { address } = await hookWithChosenKey();
  const content = JSON.stringify([fabula.account.team.id, 'svix']);
  for (const escapes of [0, 1]) {
    const bytes = Buffer.concat([Buffer.alloc(16), Buffer.from(content)]);
    const forged = `~fabula-secret~${escapes}${bytes.toString('base64url')}~`;
    for (const key of [Buffer.from(forged, 'base64'), forged]) {
      const signature = `v1,${hmac(`msg.${BODY}`, key).toString('base64')}`;
      await post(address, { 'x-a': forged, 'svix-signature': signature });
      expect((await fabula.events()).at(-1)!.payload).toEqual({ rule_matched: false });
    }
    const genuine = `v1,${hmac(`msg.${BODY}`, SVIX_KEY).toString('base64')}`;
    await post(address, { 'x-a': forged, 'svix-signature': genuine });
    expect((await fabula.events()).at(-1)!.payload).toEqual({ rule_matched: true });
  }
});

it('I2: a key in base64, and one that an action before chose, are the credential’s', async () => {
  const bytes = SVIX_KEY;
  const { address, id } = await hookWithChosenKey();
  await post(address, { 'svix-signature': `v1,${hmac(`msg.${BODY}`, bytes).toString('base64')} v1,AAAA` });
  expect(await fabula.deadLetters()).toEqual([]);
  expect((await fabula.events()).at(-1)!.payload).toEqual({ rule_matched: true });
  expect(leaksOf(bytes.toString('base64'), await everythingStored(stores))).toEqual([]);
  expect(leaksOf(bytes.toString('base64'), await everythingShown(fabula, id))).toEqual([]);
});

it('I2: a Liquid template verifies too, and a large body in a thread', async () => {
  const check = trigger({
    type: 'field==value',
    path: '{{ .hook.raw_body | hmac_verify: .hook.headers.x-sig, .CREDENTIAL.whsec }}',
    value: 'true',
  });
  const { address } = await hookWith({ check }, ['hook > check'], {
    schema_version: 3,
    standard_lib_version: null,
  });
  const { address: large } = await hookWith(
    { check: formula('HMAC_VERIFY(hook.raw_body, hook.headers["x-sig"], CREDENTIAL.whsec)') },
    ['hook > check'],
  );
  const body = JSON.stringify({ text: 'x'.repeat(2_000_000) });
  await post(address, { 'x-sig': hmac(BODY).toString('hex') });
  expect((await fabula.events()).at(-1)!.payload).toEqual({ rule_matched: true });
  await post(large, { 'x-sig': hmac(body).toString('hex') }, body);
  expect(await fabula.deadLetters()).toEqual([]);
  expect((await fabula.events()).at(-1)!.payload).toEqual({ rule_matched: true });
});

const SILENT: Record<string, ShortAgent> = {
  'a rule': trigger({
    type: 'field==value',
    path: '=HMAC_SHA256(hook.raw_body, CREDENTIAL.whsec)',
    value: '<<hook.headers["x-sig"]>>',
  }),
  'a rule of the other order': trigger({
    type: 'in',
    path: '<<hook.headers["x-sig"]>>',
    value: ['sha256=<<HMAC_SHA256(hook.raw_body, CREDENTIAL.whsec)>>'],
  }),
  'a formula': formula('HMAC_SHA256(hook.raw_body, CREDENTIAL.whsec) = hook.headers["x-sig"]'),
  'a formula of another encoding': formula(
    'BASE64_ENCODE(HMAC_SHA256(hook.raw_body, CREDENTIAL.whsec)) <> hook.headers["x-sig"]',
  ),
};

it.each(Object.entries(SILENT))(
  'I2: a signature compared by %s fails, and names what to use',
  async (_what, check) => {
    const { address } = await hookWith({ check }, ['hook > check']);
    await post(address, { 'x-sig': hmac(BODY).toString('hex') });
    const [letter] = await fabula.deadLetters();
    expect(JSON.stringify(letter)).toContain('HMAC_VERIFY');
  },
);

it('I2: a credential compared by a rule is told in the log', async () => {
  const check = trigger({
    type: 'field==value',
    path: '<<hook.headers["x-token"]>>',
    value: '<<CREDENTIAL.whsec>>',
  });
  const { address } = await hookWith({ check }, ['hook > check']);
  await post(address, { 'x-token': KEY });
  expect((await fabula.events()).at(-1)!.payload).toEqual({ rule_matched: false });
  expect((await fabula.logs()).map(({ message }) => message).join()).toContain('SECRET_EQUAL');
});

const WRONG: Record<string, string> = {
  'a key that is empty': 'HMAC_VERIFY(hook.raw_body, "ab", hook.none)',
  'a key that was made of a marker': 'HMAC_VERIFY(hook.raw_body, "ab", SLICE(CREDENTIAL.whsec, 6, 4))',
  'a key with text beside it': 'HMAC_VERIFY(hook.raw_body, "ab", "x" & CREDENTIAL.whsec)',
  'a key that was encrypted and decrypted':
    'SECRET_EQUAL("x", AES_DECRYPT(AES_ENCRYPT(CREDENTIAL.whsec, "0123456789abcdef"), "0123456789abcdef", "0123456789abcdef"))',
  'a key that was encrypted': 'SECRET_EQUAL("x", AES_ENCRYPT(CREDENTIAL.whsec, "0123456789abcdef"))',
  'a credential as the text': 'HMAC_VERIFY(CREDENTIAL.whsec, "ab", "key")',
  'a marker as the key': 'HMAC_VERIFY(hook.raw_body, "ab", "[credential whsec]")',
  'a reference that this server did not sign': `HMAC_VERIFY(hook.raw_body, "ab", CREDENTIAL.whsec & hook.none & "~fabula-secret~0AAAA~")`,
  'a digest that it does not know': 'HMAC_VERIFY(hook.raw_body, "ab", "key", "MD5")',
  'a private key of another kind': `RSA_VERIFY(hook.raw_body, "ab", ${quoted(pem(ec.publicKey))})`,
};

it.each(Object.entries(WRONG))('I2: %s fails instead of being false or true', async (_what, check) => {
  const { address } = await hookWith({ check: formula(check) }, ['hook > check']);
  await post(address, {});
  expect(await fabula.deadLetters()).toHaveLength(1);
});
