import { type Lists, OPERATIONS, type Operations, type PageMeta } from './api.js';

/** The address of a server, and the key to it. */
export interface ClientOptions {
  /** `https://fabula.example.com`. */
  url: string;
  /** An API key; the client has its rights. A browser that is signed in by a cookie has none. */
  key?: string;
  /** How long a request may take, 60,000 ms unless given. */
  timeoutMs?: number;
  /** Instead of the `fetch` of the system. */
  fetch?: typeof globalThis.fetch;
  /** Instead of `JSON.parse`, which rounds numbers of more than 15 digits. */
  parse?: (text: string) => unknown;
}

type Name = keyof Operations;
type ListName = keyof Lists & Name;
/**
 * The input of an operation: parameters of path and query, and fields of the body, beside each other. A body that shares a
 * name with the path stands apart, as `body`.
 */
export type Input<N extends Name> = Operations[N]['input'];
/** The answer of an operation. */
export type Output<N extends Name> = Operations[N]['output'];
/** A call of an operation; its input can be left out if nothing in it is required. */
type Call<N extends Name> =
  object extends Input<N>
    ? (input?: Input<N>) => Promise<Output<N>>
    : (input: Input<N>) => Promise<Output<N>>;

/** Every operation as a method, and `all` for lists. */
export type FabulaClient = { readonly [N in Name]: Call<N> } & {
  /** Yields the items of a list, page by page; `page` and `per_page` say where it begins and how much it asks for at once. */
  all<N extends ListName>(name: N, input: Input<N>): AsyncGenerator<Lists[N], void, undefined>;
};

/** One fault of a request; `details` is the path of the field. */
export interface FabulaProblem {
  message: string;
  details?: string;
}

/** A request that the server refused or could not serve. */
export class FabulaError extends Error {
  constructor(
    readonly status: number,
    readonly problems: readonly FabulaProblem[],
    /** The id under which the server's log has the request. */
    readonly requestId: string | undefined,
    /** Seconds to wait before a retry, for 429 and 503. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(problems.map(({ message }) => message).join('; ') || `Status ${status}`);
    this.name = 'FabulaError';
  }
}

type Values = { [key: string]: unknown };

/** The most items of a page; fewer pages are fewer requests. */
const PAGE_SIZE = 100;

/** Creates a client. It keeps nothing between requests. */
export function createClient(options: ClientOptions): FabulaClient {
  const names = Object.keys(OPERATIONS) as Name[];
  const methods = names.map((name) => [name, (input: Values = {}) => send(options, name, input)]);
  const all = (name: ListName, input: Values) => itemsOf(options, name, input);
  return Object.assign(Object.fromEntries(methods) as object, { all }) as unknown as FabulaClient;
}

async function* itemsOf(options: ClientOptions, name: ListName, input: Values) {
  const size = input['per_page'] ?? PAGE_SIZE;
  let place: Values | undefined = { page: input['page'] ?? 1 };
  while (place !== undefined) {
    const answer = (await send(options, name, { ...input, ...place, per_page: size })) as Values;
    yield* answer[OPERATIONS[name].items ?? ''] as never[];
    place = placeIn((answer['meta'] as PageMeta).next_page);
  }
}

/** The next page may begin with a place, so that no item comes twice while others are added. */
function placeIn(nextPage: string | null): Values | undefined {
  if (nextPage === null) return undefined;
  const { searchParams } = new URL(nextPage);
  return { page: searchParams.get('page'), cursor: searchParams.get('cursor') };
}

async function send(options: ClientOptions, name: Name, input: Values): Promise<unknown> {
  const { url, key, timeoutMs = 60_000, fetch = globalThis.fetch, parse = parseJson } = options;
  const { method, address, body } = requestOf(name, input);
  const isStream = OPERATIONS[name].stream === true;
  const silence = isStream ? silenceAfter(SILENT_MS) : undefined;
  const response = await fetch(url.replace(/\/+$/, '') + address, {
    method,
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      'Content-Type': 'application/json',
      Accept: isStream ? 'text/event-stream' : 'application/json, text/plain',
    },
    // The key is for this server alone.
    redirect: 'error',
    signal: silence?.signal ?? AbortSignal.timeout(timeoutMs),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (silence !== undefined && response.ok) return eventsOf(response, silence);
  const text = await response.text();
  silence?.end();
  if (!response.ok) throw errorOf(response, text);
  return text === '' && response.status === 204 ? undefined : valueOf(response, text, parse);
}

/** A text that the server answers bare is no JSON. */
function valueOf({ headers }: Response, text: string, parse: (text: string) => unknown): unknown {
  const isText = headers.get('content-type')?.startsWith('text/plain') === true;
  return isText ? text : parse(text);
}

function parseJson(text: string): unknown {
  return JSON.parse(text);
}

/** The server sends something every 15 seconds. */
const SILENT_MS = 45_000;

interface Silence {
  signal: AbortSignal;
  /** Something has come. */
  heard(): void;
  end(): void;
}

function silenceAfter(ms: number): Silence {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error('The stream is silent'));
  let timer = setTimeout(abort, ms);
  const end = () => clearTimeout(timer);
  const heard = () => {
    end();
    timer = setTimeout(abort, ms);
  };
  return { signal: controller.signal, heard, end };
}

/** Yields the events of a stream until it ends; to resume it, ask again with `last_event_id`. */
async function* eventsOf({ body }: Response, silence: Silence): AsyncGenerator<unknown, void, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of (body ?? []) as AsyncIterable<Uint8Array>) {
      silence.heard();
      const parts = (text + decoder.decode(bytes, { stream: true })).split('\n\n');
      text = parts.pop() ?? '';
      yield* parts.map(eventIn).filter((event) => event !== undefined);
    }
  } finally {
    silence.end();
  }
}

/** Returns undefined for a comment. */
function eventIn(text: string): unknown {
  const fields = new Map(
    text.split('\n').map((line): [string, string] => {
      const [name = '', ...value] = line.split(': ');
      return [name, value.join(': ')];
    }),
  );
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { id: fields.get('id') ?? null, event: fields.get('event'), data: JSON.parse(data) };
}

function requestOf(name: Name, input: Values) {
  const { method, path, query, body } = OPERATIONS[name];
  const inPath = new Set<string>();
  const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    inPath.add(parameter);
    return encodeURIComponent(String(input[parameter]));
  });
  const rest = Object.entries(input).filter(([key, value]) => !inPath.has(key) && value !== undefined);
  const asked = rest
    .filter(([key]) => !body || query.includes(key))
    .flatMap(([key, value]) => pairs(key, value));
  const sent = rest.filter(([key]) => !query.includes(key));
  return {
    method,
    address: asked.length === 0 ? filled : `${filled}?${asked.join('&')}`,
    body: body === 'apart' ? input['body'] : body ? Object.fromEntries(sent) : undefined,
  };
}

/** Lists are written `ids[0]=1`, lists of objects `filters[0][field_id]=7`. */
function pairs(key: string, value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (value instanceof Date) return pairs(key, value.toISOString());
  if (typeof value !== 'object') {
    return [`${encodeURIComponent(key)}=${encodeURIComponent(value as string | number | boolean)}`];
  }
  return Object.entries(value).flatMap(([part, inside]) => pairs(`${key}[${part}]`, inside));
}

function errorOf({ status, headers }: Response, text: string): FabulaError {
  const wait = Number(headers.get('retry-after') ?? Number.NaN);
  return new FabulaError(
    status,
    problemsIn(text),
    headers.get('x-request-id') ?? undefined,
    Number.isFinite(wait) ? wait : undefined,
  );
}

/** A proxy before the server may answer with something that is no JSON. */
function problemsIn(text: string): FabulaProblem[] {
  try {
    const { errors } = JSON.parse(text) as { errors?: unknown };
    return Array.isArray(errors) ? (errors as FabulaProblem[]) : [];
  } catch {
    return [];
  }
}
