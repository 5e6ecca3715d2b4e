import { type FabulaApi, OPERATIONS, type PageMeta } from './api.js';
import type { Answer, Answering, CallOptions, ListName, Name } from './calls.js';
import { requestOf, type Values } from './request.js';
import { type ClientOptions, send } from './send.js';

export type * from './api.js';
export type { Answer, Answering, CallOptions, Input, Item, ListName, Name, Output } from './calls.js';
export { FabulaConnectionError, FabulaError, type FabulaProblem, FabulaTimeoutError } from './errors.js';
export type { ClientOptions } from './send.js';

/** Every operation as a method, grouped by nouns; `all` beside each `list` goes through all pages. */
export type FabulaClient = FabulaApi;

/** The most items of a page; fewer pages are fewer requests. */
const PAGE_SIZE = 100;

/** Creates a client. It keeps nothing between requests. */
export function createClient(client: ClientOptions): FabulaClient {
  const root: Values = {};
  for (const name of Object.keys(OPERATIONS) as Name[]) {
    const groups = name.split('.');
    const method = groups.pop() ?? '';
    const group = groups.reduce((place, noun) => (place[noun] ??= {}) as Values, root);
    group[method] = (input: Values = {}, call: CallOptions = {}) =>
      answering(sendOne(client, name, { input, call }));
    if (OPERATIONS[name].items !== undefined) {
      group['all'] = (input: Values = {}, call: CallOptions = {}) =>
        itemsOf(client, name as ListName, { input, call });
    }
  }
  return root as unknown as FabulaClient;
}

interface Asked {
  input: Values;
  call: CallOptions;
  /** Instead of the query of the input. */
  search?: string | undefined;
}

async function sendOne(client: ClientOptions, name: Name, asked: Asked): Promise<Answer<unknown>> {
  const request = requestOf(name, asked.input, asked.search);
  return send({ ...request, stream: OPERATIONS[name].stream === true, client, call: asked.call });
}

function answering(answered: Promise<Answer<unknown>>): Answering<unknown> {
  const data = answered.then((answer) => answer.data);
  const withResponse = () => {
    // The promise that is returned fails too, and is the one that is looked at.
    data.catch(() => undefined);
    return answered;
  };
  return Object.assign(data, { withResponse });
}

async function* itemsOf(client: ClientOptions, name: ListName, { input, call }: Asked) {
  let next: Asked | undefined = { input: { per_page: PAGE_SIZE, ...input }, call };
  while (next !== undefined) {
    const { data } = await sendOne(client, name, next);
    yield* (data as Values)[OPERATIONS[name].items ?? ''] as never[];
    next = nextOf(next, (data as { meta: PageMeta }).meta);
  }
}

/** The address of the next page has its whole query, which may be more than a number. */
function nextOf(asked: Asked, { next_page: address, next_page_number: page }: PageMeta): Asked | undefined {
  const search = /\?([^#]*)/.exec(address ?? '')?.[1];
  if (search !== undefined) return { ...asked, search };
  return page === null ? undefined : { call: asked.call, input: { ...asked.input, page } };
}
