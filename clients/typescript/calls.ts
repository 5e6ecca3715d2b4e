import type { Operations } from './api.js';

/** The name of an operation: its place in the client, such as `stories.runs.start`. */
export type Name = keyof Operations;
/** The name of an operation that answers a list in pages. */
export type ListName = { [N in Name]: Operations[N] extends { item: unknown } ? N : never }[Name];
/**
 * The input of an operation: parameters of path and query, and fields of the body, beside each other. A body that shares a
 * name with the path stands apart, as `body`.
 */
export type Input<N extends Name> = Operations[N]['input'];
/** The answer of an operation. */
export type Output<N extends Name> = Operations[N]['output'];
/** An item of a list. */
export type Item<N extends ListName> = Operations[N] extends { item: infer I } ? I : never;

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, its waits and its stream. */
  signal?: AbortSignal;
  /** Further headers, such as `If-Match`. */
  headers?: Readonly<Record<string, string>>;
  /** How long each attempt may take, in milliseconds. */
  timeoutMs?: number;
  /** Names a POST, so that the server does it once, however often it is sent. It is the same in each attempt. */
  idempotencyKey?: string;
  /** How often a request is sent again. */
  maxRetries?: number;
}

/** An answer, and the response that it came with: status and headers. The body of the response is read already. */
export interface Answer<T> {
  data: T;
  response: Response;
}

/** A promise of the answer. */
export interface Answering<T> extends Promise<T> {
  /** Returns the answer with the status and the headers of its response (`ETag`, `Link`, the limit of requests). */
  withResponse(): Promise<Answer<T>>;
}

/** A call of an operation; its input can be left out if nothing in it is required. */
export type Call<N extends Name> =
  object extends Input<N>
    ? (input?: Input<N>, options?: CallOptions) => Answering<Output<N>>
    : (input: Input<N>, options?: CallOptions) => Answering<Output<N>>;

/** A walk through a list; `page` and `per_page` say where it begins and how much it asks for at once (100). */
export type Walk<N extends ListName> =
  object extends Input<N>
    ? (input?: Input<N>, options?: CallOptions) => AsyncGenerator<Item<N>, void, undefined>
    : (input: Input<N>, options?: CallOptions) => AsyncGenerator<Item<N>, void, undefined>;
