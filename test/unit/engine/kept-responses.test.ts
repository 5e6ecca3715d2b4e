import { responseToKeep } from '../../../src/engine/secrets/redaction/response-to-keep.js';
import type { KeptResponse } from '../../../src/engine/state/events/kept-response.js';
import type { ResponseHeaders } from '../../../src/platform/headers/header-of.js';
import { openedFor } from '../../support/opened.js';
import { leaksOf } from '../../support/secrets.js';

const TOKEN = 'Tok/en+with "odd" & Ünusual';
const KIB = 1024;

/** Keeps a response to a request that sent the credential `token`, or none. */
async function keep(body: Buffer | string, headers: ResponseHeaders = {}, { sent = true } = {}) {
  const { secrets, reference } = openedFor({ token: TOKEN });
  if (sent) await secrets.open(reference('token'));
  const response = { answered: true as const, status: 500, headers, body: Buffer.from(body) };
  const receivedAt = new Date('2026-11-26T20:15:01.629Z');
  const { json, text } = responseToKeep({ response, tookMs: 12.4, receivedAt }, secrets);
  return { json, text, kept: JSON.parse(json) as KeptResponse, reference };
}

test('a response is kept with its status, headers, body and times', async () => {
  const { kept, text } = await keep('{"a":1}', { 'content-type': 'application/json', 'x-a': 'b' });
  expect(kept).toEqual({
    received_at: '2026-11-26T20:15:01.629Z',
    duration_ms: 12,
    status: 500,
    headers: { 'content-type': 'application/json', 'x-a': 'b' },
    body: '{"a":1}',
    body_bytes: 7,
    body_left_out: null,
    truncated: [],
  });
  expect(text).toBe('{"a":1}');
});

test('headers that sign in are hidden, whoever sent them', async () => {
  const headers = {
    'set-cookie': ['session=abc', 'b=c'],
    Authorization: 'Basic eDp5',
    'x-user-token': 'fab_1',
  };
  const { kept, json } = await keep('', headers, { sent: false });
  expect(Object.values(kept.headers)).toEqual(['[hidden]', '[hidden]', '[hidden]']);
  expect(json).not.toContain('abc');
  expect([kept.body, kept.body_bytes]).toEqual([null, 0]);
});

test('the credentials of the request are redacted in headers and body, also at the cut', async () => {
  const filler = 'x'.repeat(8 * KIB - 5);
  const { kept, json, text } = await keep(`${filler}${TOKEN} and ${JSON.stringify({ echo: TOKEN })}`, {
    'x-echo': `got ${TOKEN}`,
    location: `https://a.example/?t=${encodeURIComponent(TOKEN)}`,
  });
  expect(leaksOf(TOKEN, json)).toEqual([]);
  expect(leaksOf(TOKEN, text)).toEqual([]);
  expect(kept.headers['x-echo']).toBe('got [credential token]');
  expect(kept.body).toBe(`${filler}[cred`);
  expect(kept.truncated).toEqual(['body']);
  expect(text).toContain('[credential token] and {"echo":"[credential token]"}');
});

test('a token stays redacted after its renewal', async () => {
  const { secrets, reference } = openedFor({ token: TOKEN }, 1, {
    text: TOKEN,
    renew: () => Promise.resolve(true),
  });
  await secrets.open(reference('token'));
  await secrets.renew();
  expect(secrets.list()).toEqual([]);
  const response = { answered: true as const, status: 401, headers: {}, body: Buffer.from(`no ${TOKEN}`) };
  const { json } = responseToKeep({ response, tookMs: 1, receivedAt: new Date(0) }, secrets);
  expect((JSON.parse(json) as KeptResponse).body).toBe('no [credential token]');
});

test('a token whose renewal failed stays redacted, however many texts functions make afterwards', async () => {
  const obtained = { text: TOKEN, renew: () => Promise.resolve(true) };
  const { secrets, signer, reference } = openedFor({ token: TOKEN, other: 'another secret' }, 1, obtained);
  await secrets.open(reference('token'));
  await secrets.renew();
  obtained.text = 'another secret';
  for (let n = 0; n < 120; n++) {
    const values = [`${n} ${reference('other')}`];
    await secrets.open(
      signer.sign({ team: 1, credential: 'other', call: { name: 'base64_encode', values } }),
    );
  }
  expect(secrets.redactText(`no ${TOKEN}`)).toBe('no [credential token]');
});

test('a body is cut at 8 KiB, between characters', async () => {
  const { kept } = await keep(`a${'ü'.repeat(8 * KIB)}`, {}, { sent: false });
  expect(kept.body).toBe(`a${'ü'.repeat(4 * KIB - 1)}`);
  expect([kept.body_bytes, kept.truncated]).toEqual([16 * KIB + 1, ['body']]);
});

test.each([
  ['text', Buffer.alloc(300 * KIB, 'a'), 'a'.repeat(8 * KIB), null],
  ['binary data', Buffer.alloc(300 * KIB, 0), null, 'binary'],
])('%s of a large body', async (_, body, kept, leftOut) => {
  const found = await keep(body, {}, { sent: false });
  expect([found.kept.body, found.kept.body_left_out]).toEqual([kept, leftOut]);
  expect(found.kept.body_bytes).toBe(300 * KIB);
  expect(found.text.length).toBeLessThanOrEqual(64 * KIB);
});

test('a large body that may hold a credential is left out, with its size', async () => {
  const { kept, text } = await keep(Buffer.alloc(257 * KIB, 'a'));
  expect([kept.body, kept.body_bytes, kept.body_left_out, text]).toEqual([null, null, 'large', '']);
});

test('binary data is told as such', async () => {
  const { kept, text } = await keep(Buffer.from([0x1f, 0x8b, 0, 1]), { 'content-encoding': 'zstd' });
  expect([kept.body, kept.body_bytes, kept.body_left_out, text]).toEqual([null, 4, 'binary', '']);
});

test('a text in another charset is kept in UTF-8', async () => {
  const { kept } = await keep(Buffer.from('größer', 'latin1'), {
    'content-type': 'text/plain; charset=iso-8859-1',
  });
  expect(kept.body).toBe('größer');
});

test('references that come back are markers', async () => {
  const { reference } = await keep('');
  const { json } = await keep(`echo ${reference('token')}`);
  expect(json).not.toContain(reference('token'));
  expect(json).toContain('[credential token]');
});
