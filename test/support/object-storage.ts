import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export const STORAGE_KEYS = { accessKeyId: 'AKIDSTORAGE', secretAccessKey: 'secret/of+the=storage' };

export interface StorageRequest {
  method: string;
  /** The object's key, or empty for the bucket. */
  key: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
  query: URLSearchParams;
}

/** Answers in place of the storage; undefined: the storage answers. */
export type StorageFault = (request: StorageRequest) => { status: number; body?: string } | 'cut' | undefined;

const noFault: StorageFault = () => undefined;

/**
 * A small object storage with the API of S3, in memory. It refuses each request whose signature (Version 4) is not exactly
 * what it computes by itself from the published rules.
 */
export async function startObjectStorage({ region = 'us-east-1', bucket = 'archive', pageKeys = 1000 } = {}) {
  const objects = new Map<string, Buffer>();
  const requests: StorageRequest[] = [];
  let fault: StorageFault = noFault;

  const respond = (request: StorageRequest): { status: number; body?: string | Buffer } => {
    const { method, key, body } = request;
    const stored = objects.get(key);
    if (key === '') return { status: 200, body: listOf(objects, request.query, pageKeys) };
    if (method === 'PUT') {
      objects.set(key, body);
      return { status: 200 };
    }
    if (method === 'DELETE') {
      objects.delete(key);
      return { status: 204 };
    }
    if (stored === undefined) return { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (from === undefined) return { status: 200, body: stored };
    return { status: 206, body: stored.subarray(Number(from), Number(to) + 1) };
  };

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const url = new URL(incoming.url ?? '', 'http://storage');
    const [, name, ...rest] = url.pathname.split('/');
    const body = await buffer(incoming);
    const method = incoming.method ?? '';
    const { headers } = incoming;
    const request = { method, key: rest.join('/'), headers, body, query: url.searchParams };
    requests.push(request);
    const wrong = name === bucket ? faultOfSignature(incoming, body, region) : 'NoSuchBucket';
    const instead = fault(request);
    if (instead === 'cut') {
      incoming.socket.destroy();
      return;
    }
    const given = wrong === undefined ? (instead ?? respond(request)) : { status: 403, body: wrong };
    response.writeHead(given.status).end(given.body);
  };
  const server = createServer((incoming, response) => void handle(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    fail: (by: StorageFault) => void (fault = by),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listOf(objects: Map<string, Buffer>, query: URLSearchParams, pageKeys: number): string {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
  const page = keys.slice(0, pageKeys);
  const isTruncated = keys.length > page.length;
  const contents = page.map(
    (key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length ?? 0}</Size></Contents>`,
  );
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
}

const hash = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();

/** Returns what is wrong with the signature of a request, by the rules that AWS publishes; undefined: it is right. */
function faultOfSignature(incoming: IncomingMessage, body: Buffer, region: string): string | undefined {
  const { headers } = incoming;
  const given = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
    headers.authorization ?? '',
  );
  if (given === null) return 'AccessDenied: no signature';
  const [, credential = '', names = '', signature] = given;
  const date = String(headers['x-amz-date']);
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`;
  if (credential !== `${STORAGE_KEYS.accessKeyId}/${scope}`) return 'AuthorizationHeaderMalformed';
  if (headers['x-amz-content-sha256'] !== hash(body)) return 'XAmzContentSHA256Mismatch';
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.split(';').includes(name))) {
    return 'AccessDenied: headers that must be signed are not';
  }
  const url = new URL(incoming.url ?? '', 'http://storage');
  const canonical = [
    incoming.method,
    url.pathname,
    canonicalQuery(url.searchParams),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    hash(body),
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', date, scope, hash(canonical)].join('\n');
  const parts = [date.slice(0, 8), region, 's3', 'aws4_request'];
  const key = parts.reduce<string | Buffer>(hmac, `AWS4${STORAGE_KEYS.secretAccessKey}`);
  return hmac(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&');
}
