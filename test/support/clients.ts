import { request as sendHttp } from 'node:http';
import type { Parsed } from './manage-api.js';

/** Ids by name: what the test made, and what the client's own calls made (`keeps`). */
export type Ids = Record<string, number | string>;

/** One call of a client, as it sends it. */
export interface ClientCall {
  /** Method and path without its ids: `GET /teams/{id}/members`. Under `/api/v1` unless it begins as `ROOTS` do. */
  call: string;
  /** The path as sent, with ids, query and slashes; absent: the path of `call`. */
  path?: (ids: Ids) => string;
  /** Sent as JSON, with a GET too. */
  body?: (ids: Ids) => unknown;
  /** The status that it gets. */
  status: number;
  /** Paths of the keys that it reads: `members.0.id`. A list must have an item. */
  reads?: string[];
  /** Returns what the client cannot use in the response; it is text where it is no JSON. */
  check?: (response: Parsed, ids: Ids) => string[];
  /** Keeps the value at `from` (`id`) of the response under this name. */
  keeps?: { as: string; from: string };
  /** The client reads the object of stories, and is given the array unless `STORIES_LIST` is `object`. */
  needsObject?: true;
  /** Absent: the client gets what it needs. Else why it does not. */
  not?: string;
}

/** A public program that uses the API. */
export interface Client {
  name: string;
  /** The headers that it sends. */
  headers: (key: string) => Record<string, string>;
  /** In order: later ones may use what earlier ones made. */
  calls: ClientCall[];
}

/** Headers of clients that send the key as a bearer. */
export const bearer = (key: string) => ({
  authorization: `Bearer ${key}`,
  accept: 'application/json',
  'content-type': 'application/json',
});

/** Headers of clients that send the user's address and token. */
export const userToken = (key: string) => ({
  'x-user-email': 'ada@example.com',
  'x-user-token': key,
  'content-type': 'application/json',
});

/** The beginnings of paths that do not stand under `/api/v1`. */
const ROOTS = /^\/(api|webhook|graphql)\b/;

/** Makes the calls of a client, one after the other. Returns what is other than its list says. */
export async function faultsOf(
  client: Client,
  server: { url: string; key: string; ids: Ids; storiesList: 'array' | 'object' },
): Promise<string[]> {
  const faults: string[] = [];
  const ids = { ...server.ids };
  for (const call of client.calls) {
    const [method = '', ownPath = ''] = call.call.split(' ');
    const path = call.path?.(ids) ?? ownPath;
    const url = `${server.url}${ROOTS.test(path) ? '' : '/api/v1'}${path}`;
    const response = await send(method, url, client.headers(server.key), call.body?.(ids));
    if (response.status !== call.status)
      faults.push(`${call.call}: ${response.status} ${response.text.slice(0, 300)}`);
    if (call.needsObject === true && server.storiesList === 'array') {
      if (!Array.isArray(response.body)) faults.push(`${call.call}: no array`);
      continue;
    }
    const { reads = [], check, keeps } = call;
    for (const key of reads) {
      if (valueAt(response.body, key) === undefined) faults.push(`${call.call}: no ${key}`);
    }
    const unusable = check?.(response.body ?? response.text, ids) ?? [];
    faults.push(...unusable.map((fault) => `${call.call}: ${fault}`));
    if (keeps !== undefined) ids[keeps.as] = valueAt(response.body, keeps.from) as number;
  }
  return faults;
}

interface Sent {
  status: number;
  text: string;
  /** Undefined if it is no JSON. */
  body: Parsed;
}

/** Sends a request. Unlike `fetch`, it sends a body with a GET, as some clients do. */
function send(method: string, url: string, headers: Record<string, string>, body: unknown): Promise<Sent> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
  return new Promise((resolve, reject) => {
    const request = sendHttp(url, { method, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const received = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.includes('json') === true && received !== '';
        resolve({
          status: response.statusCode ?? 0,
          text: received,
          body: isJson ? JSON.parse(received) : undefined,
        });
      });
    });
    request.once('error', reject);
    request.end(text);
  });
}

/** Returns the value at `path` (`members.0.id`); undefined if there is none. */
export function valueAt(value: Parsed, path: string): unknown {
  // The name of a key may hold a slash, but no dot.
  return path.split('.').reduce<Parsed>((inner, key) => inner?.[key], value);
}

const CELL = (calls: string[]) => (calls.length === 0 ? '–' : calls.map((call) => `\`${call}\``).join(', '));

/** Why the client does not get what it needs from a server with the settings of the default. */
function lackOf({ not, needsObject }: ClientCall): string | undefined {
  return needsObject === true ? 'it reads `{stories, meta}`, which needs `STORIES_LIST=object`' : not;
}

/** The table of docs/use/clients.md. */
export function clientTable(clients: readonly Client[]): string {
  const rows = clients.map(({ name, calls }) => {
    const works = new Set(calls.filter((one) => lackOf(one) === undefined).map(({ call }) => call));
    const lacks = calls.flatMap((one) => {
      const lack = lackOf(one);
      return lack === undefined ? [] : `\`${one.call}\`: ${lack}`;
    });
    return `| ${name} | ${CELL([...works])} | ${lacks.length === 0 ? '–' : lacks.join('; ')} |`;
  });
  return ['| Client | Calls that work | Calls that do not, and why |', '|---|---|---|', ...rows].join('\n');
}
