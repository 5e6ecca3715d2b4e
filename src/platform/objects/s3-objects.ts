import { sign } from 'aws4';
import { type AwsKeys, sentHeaders } from '../outbound/aws-signature.js';
import type { HttpClient, HttpResponse } from '../outbound/http-exchange.js';
import { type ByteRange, ObjectMissing, type ObjectStore, type StoredObject } from './object-store.js';
import { isJsonObject, type JsonValue } from '../json.js';
import { parseXml } from '../text/xml/xml.js';

export interface S3Options {
  /** Absolute address of the service, without a slash at the end: `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  region: string;
  bucket: string;
  /** First part of all names, without slashes at its ends; may be empty. */
  prefix: string;
  keys: AwsKeys;
  http: HttpClient;
}

/** Time for one request, with its body. */
const TIMEOUT_MS = 120_000;
/** Characters of an error response that a message repeats. */
const SHOWN = 200;

/** Objects of a bucket of S3, or of a storage with its API. The bucket is part of the path, as all of them understand. */
export function createS3Objects(options: S3Options): ObjectStore {
  const { bucket, prefix, http } = options;
  const keyOf = (name: string) => (prefix === '' ? name : `${prefix}/${name}`);
  const pathOf = (name: string) => `/${bucket}/${keyOf(name)}`;
  const ask = (request: S3Request) => send(request, options);
  return {
    place: s3Place(options),
    async put(name, body) {
      await ask({ method: 'PUT', path: pathOf(name), body, headers: { 'content-type': TYPE } });
    },
    async read(name, range) {
      const headers = range === undefined ? {} : { range: rangeHeader(range) };
      return (await ask({ method: 'GET', path: pathOf(name), headers })).body;
    },
    async *list(folder) {
      for (let token: string | undefined = ''; token !== undefined; ) {
        const query = listQuery(keyOf(folder), token);
        const response = await ask({ method: 'GET', path: `/${bucket}?${query}` });
        const page = readS3List(response.body.toString());
        yield* page.objects.map((each) => withoutPrefix(each, prefix));
        token = page.next;
      }
    },
    async remove(name) {
      await ask({ method: 'DELETE', path: pathOf(name) });
    },
    close: () => http.close(),
  };
}

/** Returns the name of a place in a bucket: `s3://bucket/prefix`. */
export function s3Place({ bucket, prefix }: Pick<S3Options, 'bucket' | 'prefix'>): string {
  return `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
}

const TYPE = 'application/octet-stream';

interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE';
  /** With the query. */
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** Sends a signed request. @throws ObjectMissing for 404 of an object; Error with the response for all other failures. */
async function send(request: S3Request, { endpoint, region, keys, http }: S3Options): Promise<HttpResponse> {
  const { method, headers = {}, body } = request;
  const { host, origin, pathname } = new URL(endpoint);
  const path = `${pathname.replace(/\/$/, '')}${request.path}`;
  const { headers: signed = {} } = sign(
    { host, path, method, headers, service: 's3', region, ...(body !== undefined && { body }) },
    keys,
  );
  const response = await http.request({
    url: `${origin}${path}`,
    method,
    headers: sentHeaders(signed),
    ...(body !== undefined && { body }),
    followRedirects: false,
    timeoutMs: TIMEOUT_MS,
  });
  const what = `${method} of ${path.replace(/\?.*/, '')}`;
  if (!response.answered) throw new Error(`${what}: ${response.reason}`);
  if (response.status >= 200 && response.status < 300) return response;
  const text = response.body.toString().replace(/\s+/g, ' ').slice(0, SHOWN);
  const reason = `${what} returned ${response.status} ${text}`;
  throw response.status === 404 && text.includes('NoSuchKey') ? new ObjectMissing(reason) : new Error(reason);
}

function rangeHeader({ offset, length }: ByteRange): string {
  return `bytes=${offset}-${offset + length - 1}`;
}

function listQuery(prefix: string, token: string): string {
  const query = new URLSearchParams({ 'list-type': '2', prefix });
  if (token !== '') query.set('continuation-token', token);
  return query.toString();
}

function withoutPrefix({ name, bytes }: StoredObject, prefix: string): StoredObject {
  return { name: prefix === '' ? name : name.slice(prefix.length + 1), bytes };
}

/** A page of a list. */
interface S3Page {
  objects: StoredObject[];
  /** The token that the request of the next page names; undefined: this is the last one. */
  next: string | undefined;
}

/** Reads the response to ListObjectsV2. @throws Error if it is something else. */
function readS3List(text: string): S3Page {
  const { ListBucketResult: list } = parseXml(text);
  if (!isJsonObject(list)) throw new Error('the answer to a list of objects is no ListBucketResult');
  const { Contents: contents = [], IsTruncated: isTruncated, NextContinuationToken: next } = list;
  return {
    objects: (Array.isArray(contents) ? contents : [contents]).map(objectOf),
    next: isTruncated === 'true' && typeof next === 'string' ? next : undefined,
  };
}

function objectOf(value: JsonValue): StoredObject {
  const { Key: name, Size: size } = isJsonObject(value) ? value : {};
  if (typeof name !== 'string') throw new Error('an object of the list has no name');
  return { name, bytes: Number(size) };
}
