import { createRequestSender } from '../../src/engine/secrets/secret-senders.js';
import { createOpenedSecrets } from '../../src/engine/secrets/opened-secrets.js';
import { createSecretSigner } from '../../src/platform/secrets/secret-signer.js';
import { assumeRole } from '../../src/data/credentials/tokens/aws-keys.js';
import { createSecretSource } from '../../src/data/credentials/tokens/secret-source.js';
import type { HttpRequest, HttpResponse } from '../../src/platform/outbound/http-exchange.js';

const KEYS = { aws_access_key: 'AKIDEXAMPLE', aws_secret_key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const REQUEST = {
  url: 'https://sqs.eu-west-1.amazonaws.com/1/q/?Action=SendMessage',
  method: 'GET',
  headers: {},
};

const none = () => Promise.reject(new Error('no grant'));

/** The sender of a team with one credential of the mode AWS, and what it sends. */
function sender(allowedHosts: string[] = []) {
  const requests: HttpRequest[] = [];
  const http = {
    request: async (request: HttpRequest): Promise<HttpResponse> => {
      request.checkHop?.(new URL(request.url), { bare: false });
      requests.push(request);
      return { answered: true, status: 200, headers: {}, body: Buffer.from(JSON.stringify(request.headers)) };
    },
    close: () => Promise.resolve(),
  };
  const tokens = { get: () => Promise.reject(new Error('no token')), renew: () => Promise.resolve(false) };
  const grants = {
    settings: none,
    connect: none,
    refresh: none,
    forget: none,
    needPerson: none,
    expire: none,
  };
  const source = createSecretSource({ http, tokens, grants });
  const sealed = {
    id: 1,
    teamId: 1,
    name: 'aws',
    mode: 'AWS' as const,
    allowedHosts,
    open: () => JSON.stringify(KEYS),
  };
  const signer = createSecretSigner(Buffer.alloc(32));
  const secrets = createOpenedSecrets({
    teamId: 1,
    secrets: {
      find: () =>
        Promise.resolve({
          ...sealed,
          open: () => '',
          obtain: (tenant: number) => source.obtain(sealed, tenant),
        }),
    },
    verify: (body) => signer.verify(body),
    requireHosts: false,
  });
  const reference = signer.sign({ team: 1, credential: 'aws' });
  const send = (options: { authorization?: string; body?: string; url?: string }) =>
    createRequestSender(http, secrets).send(options, (opened) => ({
      ...REQUEST,
      ...(opened.url !== undefined && { url: opened.url }),
      headers: opened.authorization === undefined ? {} : { authorization: opened.authorization },
      ...(opened.body !== undefined && { body: Buffer.from(opened.body) }),
    }));
  return { send, requests, reference, secrets };
}

it('a credential of AWS as the authorization signs the request for its service and region', async () => {
  const { send, requests, reference, secrets } = sender();
  await send({ authorization: ` ${reference}` });
  const { headers, followRedirects } = requests[0]!;
  expect(headers).toEqual({
    'x-amz-date': expect.stringMatching(/^\d{8}T\d{6}Z$/),
    authorization: expect.stringMatching(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/sqs\/aws4_request, SignedHeaders=host;x-amz-date, Signature=[0-9a-f]{64}$/,
    ),
  });
  expect(followRedirects).toBe(false);
  expect(secrets.redactText(`echoed ${headers['authorization']}`)).toBe('echoed [credential aws]');
});

it.each([
  ['a part of the authorization', (reference: string) => ({ authorization: `Bearer ${reference}` })],
  ['the body', (reference: string) => ({ body: reference })],
  ['the address', (reference: string) => ({ url: `https://sqs.eu-west-1.amazonaws.com/${reference}` })],
])('it cannot be %s', async (_where, options) => {
  const { send, requests, reference } = sender();
  await expect(send(options(reference))).rejects.toThrow(
    'it can only be used as the whole Authorization header',
  );
  expect(requests).toEqual([]);
});

it('it signs nothing for other hosts, and heeds its allowed hosts', async () => {
  const other = sender();
  const url = 'https://amazonaws.com.evil.example/';
  await expect(other.send({ authorization: other.reference, url })).rejects.toThrow(
    'can only sign requests to hosts of amazonaws.com',
  );
  const bound = sender(['s3.eu-west-1.amazonaws.com']);
  await expect(bound.send({ authorization: bound.reference })).rejects.toThrow('check its allowed hosts');
  expect([other.requests, bound.requests]).toEqual([[], []]);
});

it('a role is assumed with the own keys, for an hour', async () => {
  const requests: HttpRequest[] = [];
  const keys = { AccessKeyId: 'ASIA', SecretAccessKey: 'other', SessionToken: 'session' };
  const response = { AssumeRoleResponse: { AssumeRoleResult: { Credentials: keys } } };
  const http = {
    request(request: HttpRequest): Promise<HttpResponse> {
      requests.push(request);
      const body = Buffer.from(JSON.stringify(response));
      return Promise.resolve({ answered: true, status: 200, headers: {}, body });
    },
    close: () => Promise.resolve(),
  };
  const settings = {
    ...KEYS,
    aws_assumed_role_arn: 'arn:aws:iam::1:role/r',
    aws_assumed_role_external_id: 'ext',
  };
  const owner = { name: 'aws', allowedHosts: [], tenantId: 1 };
  expect(await assumeRole(settings, owner, http)).toEqual({
    token: JSON.stringify({ accessKeyId: 'ASIA', secretAccessKey: 'other', sessionToken: 'session' }),
    seconds: 3540,
  });
  const sent = new URLSearchParams(requests[0]?.body?.toString());
  expect([requests[0]?.url, sent.get('RoleArn'), sent.get('ExternalId')]).toEqual([
    'https://sts.amazonaws.com/',
    'arn:aws:iam::1:role/r',
    'ext',
  ]);
  expect(requests[0]?.headers['authorization']).toContain('/us-east-1/sts/aws4_request');
});

it('I20: a host with a port is signed for the service in its name', async () => {
  const { send, reference, requests } = sender();
  await send({ authorization: reference, url: 'https://sqs.eu-west-1.amazonaws.com:8443/1/q/' });
  expect(requests[0]!.headers['Authorization'] ?? requests[0]!.headers['authorization']).toContain(
    '/eu-west-1/sqs/aws4_request',
  );
});
