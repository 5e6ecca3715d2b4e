import type { JsonValue } from '../../../platform/json.js';
import { isJsonObject, type JsonObject } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { messageOf } from '../../../platform/errors.js';

/** Where a command finds the server, and as whom it calls. */
export interface ApiPlace {
  url?: string;
  key?: string;
}

/** A response of the API that is no success. */
export class ApiFault extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'ApiFault';
  }
}

/** A server that is not reached, or that does not respond in time. */
export class Unreached extends Error {
  override readonly name = 'Unreached';
}

export interface ApiAnswer {
  body: JsonObject;
  /** The version of what was read or written; undefined: none. */
  etag: string | undefined;
}

/** Calls the API of a server. */
export interface ApiClient {
  /** The address of the server, without a slash at its end. */
  url: string;
  /** @throws ApiFault for a response that is no success; Unreached. */
  call(request: string, options?: ApiCallOptions): Promise<ApiAnswer>;
}

export interface ApiCallOptions {
  body?: JsonObject;
  ifMatch?: string | undefined;
  /** The longest wait for the response; a minute unless given. */
  limitMs?: number;
}

/** The variables that name a server and a key, and how else they are given. */
export interface PlaceNames {
  url: string;
  key: string;
  /** Said to people after the name of a variable: `, or use --url`. */
  orUrl?: string;
  orKey?: string;
}

const LIMIT_MS = 60_000;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_PROBLEMS = 10;

const OF_STORIES: PlaceNames = {
  url: 'FABULA_URL',
  key: 'FABULA_KEY',
  orUrl: ', or use --url',
  orKey: ', or use --key',
};

/** Returns the address of the server, without a slash at its end, and the key. @throws Error that says how to give them. */
export function apiPlace(
  env: NodeJS.ProcessEnv,
  options: ApiPlace,
  names: PlaceNames = OF_STORIES,
): Required<ApiPlace> {
  const url = addressOf((options.url ?? env[names.url] ?? '').trim(), names);
  const key = (options.key ?? env[names.key] ?? '').trim();
  if (key === '') throw new Error(`no API key: set ${names.key}${names.orKey ?? ''}`);
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error(`${names.key} has characters that no API key has`);
  return { url, key };
}

/** @throws Error as `apiPlace`. */
export function createApiClient(
  env: NodeJS.ProcessEnv,
  options: ApiPlace,
  names: PlaceNames = OF_STORIES,
): ApiClient {
  const { url, key } = apiPlace(env, options, names);
  return {
    url,
    async call(request, { body, ifMatch, limitMs = LIMIT_MS } = {}) {
      const [method = '', path = ''] = request.split(' ');
      const headers = {
        authorization: `Bearer ${key}`,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      };
      const { response, text } = await sent(
        url + path,
        {
          method,
          headers,
          // A key is for this server alone.
          redirect: 'error',
          ...(body !== undefined && { body: stringifyJson(body) }),
        },
        limitMs,
      );
      if (!response.ok) {
        const hint = response.status === 401 ? `: look at ${names.key}${names.orKey ?? ''}` : '';
        throw new ApiFault(response.status, `${request}: ${faultText(response.status, text)}${hint}`);
      }
      return {
        body: text === '' ? {} : objectIn(text, request),
        etag: response.headers.get('etag') ?? undefined,
      };
    },
  };
}

function addressOf(text: string, { url: name, orUrl = '' }: PlaceNames): string {
  if (text === '') throw new Error(`no server: set ${name}${orUrl}`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error(`"${text}" is not the address of a server, such as https://fabula.example.com`);
  }
  if (url.username !== '' || url.password !== '')
    throw new Error('the address of the server must not hold a password');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

async function sent(
  address: string,
  init: RequestInit,
  limitMs: number,
): Promise<{ response: Response; text: string }> {
  const { host } = new URL(address);
  try {
    const response = await fetch(address, { ...init, signal: AbortSignal.timeout(limitMs) });
    return { response, text: await boundedText(response) };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      throw new Unreached(`${host} did not respond within ${limitMs / 1000} s`, { cause: error });
    }
    const reason = error instanceof TypeError && error.cause !== undefined ? error.cause : error;
    throw new Unreached(`${host} cannot be reached: ${messageOf(reason)}`, { cause: error });
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Error(`the response has more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function objectIn(text: string, request: string): JsonObject {
  const value = jsonIn(text);
  if (value === undefined || !isJsonObject(value)) {
    throw new Error(`${request}: the response is not that of Fabula's API`);
  }
  return value;
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined; // the caller says what it should have been
  }
}

/** Returns the problems that the server names, else its status. */
function faultText(status: number, text: string): string {
  const body = jsonIn(text);
  const errors = body !== undefined && isJsonObject(body) && Array.isArray(body.errors) ? body.errors : [];
  const problems = errors
    .filter(isJsonObject)
    .slice(0, MOST_PROBLEMS)
    .map(({ message, details }) => {
      const place = typeof details === 'string' ? ` (${details})` : '';
      return `${typeof message === 'string' ? message : 'unknown problem'}${place}`;
    });
  return problems.length === 0 ? `status ${status}` : `${status}: ${problems.join('; ')}`;
}

/** Returns the warnings in the answer to a write, each as a remark. */
export function warningsIn({ warnings }: JsonObject): string[] {
  const texts = Array.isArray(warnings) ? warnings.filter((each) => typeof each === 'string') : [];
  return texts.map((text) => `Warning: ${text}`);
}
