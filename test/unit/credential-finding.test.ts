import type { ModeSettings } from '../../src/data/credentials/modes/credential-modes.js';
import { findingOf, type Given } from '../../src/data/credentials/testing/credential-finding.js';
import { createCapturingClient } from '../../src/data/credentials/testing/capturing-client.js';
import type { HttpRequest, HttpResponse, NoResponse } from '../../src/platform/outbound/http-exchange.js';
import { selfSigned } from '../support/certificates.js';

const NOW = Date.now();
const DAY_MS = 24 * 60 * 60 * 1000;

const found = (given: Partial<Given>) =>
  findingOf({
    mode: 'TEXT',
    settings: {},
    text: '',
    keptSeconds: undefined,
    captured: undefined,
    nowMs: NOW,
    ...given,
  });

const tokenOf = (claims: object) =>
  `head.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signed`;

it.each([
  ['', false, 'It has no value.'],
  ['s3cret', true, 'It has a value, which is sent unchanged.'],
  ['s3cret\n', true, 'It has a value that starts or ends with white space. It is sent unchanged.'],
])('a text %j is told without the text', (text, works, message) => {
  expect(found({ text })).toEqual({ works, message });
});

const ofClaims = (claims: object, nowMs = NOW) => found({ mode: 'JWT', text: tokenOf(claims), nowMs });

it('a signed token works until its claim "exp"', () => {
  expect(ofClaims({ iss: 'me' })).toEqual({ works: true, message: 'It signs tokens that do not expire.' });
  const exp = 1_900_000_000;
  const expiresAt = new Date(exp * 1000);
  expect(ofClaims({ exp })).toEqual({ works: true, message: 'It signs tokens.', expiresAt });
  expect(ofClaims({ exp }, exp * 1000)).toEqual({
    works: false,
    message: 'It signs tokens, but their claim "exp" is in the past.',
    expiresAt,
  });
});

it('a certificate works from its first to its last moment', () => {
  const { cert } = selfSigned('127.0.0.1');
  const settings: ModeSettings = { mtls_client_certificate: cert };
  const at = (nowMs: number) => found({ mode: 'MTLS', settings, nowMs });
  const { works, message, expiresAt } = at(NOW + 60_000);
  expect([works, message]).toEqual([true, 'The certificate is valid and matches its key.']);
  expect(expiresAt!.getTime()).toBeGreaterThan(NOW);
  expect(at(NOW + 2 * DAY_MS)).toEqual({ works: false, message: 'The certificate has expired.', expiresAt });
  expect(at(NOW - 2 * DAY_MS)).toMatchObject({ works: false, message: 'The certificate is not valid yet.' });
});

it('keys of AWS sign, and it is told that nobody was asked', () => {
  expect(found({ mode: 'AWS' })).toEqual({
    works: true,
    message: 'It signs requests. No request was sent, so only AWS can tell whether the keys are valid.',
  });
});

it('a token has the end until which it is stored', () => {
  const captured = { host: 'auth.example', status: 200, code: undefined };
  const expiresAt = new Date(NOW + 60_000);
  expect(found({ mode: 'OAUTH', captured, keptSeconds: 60 })).toEqual({
    works: true,
    message: 'A token came from auth.example.',
    expiresAt,
  });
  expect(found({ mode: 'HTTP_REQUEST_AGENT', captured })).toEqual({
    works: true,
    message: 'A token came from auth.example. Each run of an action fetches its own.',
  });
  const role = { mode: 'AWS' as const, settings: { aws_authentication_type: 'ROLE' as const } };
  expect(found({ ...role, captured, keptSeconds: 60 }).message).toBe(
    'Keys of the role came from auth.example.',
  );
  expect(found({ mode: 'OAUTH', keptSeconds: 60 })).toMatchObject({ works: true, expiresAt });
});

const heardOf = async (response: Omit<HttpResponse, 'answered' | 'headers'> | undefined) => {
  const none: NoResponse = { answered: false, reason: 'a.example: it is closed', interrupted: false };
  const given = response === undefined ? none : { answered: true as const, headers: {}, ...response };
  const timeouts: (number | undefined)[] = [];
  const http = {
    request({ timeoutMs }: HttpRequest) {
      timeouts.push(timeoutMs);
      return Promise.resolve(given);
    },
    close: () => Promise.resolve(),
  };
  const { client, captured } = createCapturingClient(http, 60_000);
  expect(captured()).toBeUndefined();
  const request = { url: 'https://a.example/token', method: 'POST', headers: {} };
  await client.request({ ...request, timeoutMs: 15_000 });
  await createCapturingClient(http, 0).client.request({ ...request, timeoutMs: 15_000 });
  expect(timeouts).toEqual([15_000, 1]);
  await client.close();
  return captured();
};

describe('the last response', () => {
  it('is told by host and status, without its body', async () => {
    const body = Buffer.from('{"error": "invalid_client", "error_description": "s3cret"}');
    expect(await heardOf({ status: 401, body })).toEqual({ host: 'a.example', status: 401 });
  });

  it('is the host alone without a response', async () => {
    expect(await heardOf(undefined)).toEqual({ host: 'a.example', status: undefined });
  });
});
