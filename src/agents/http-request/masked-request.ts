import { PermanentJobError } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import type { HttpRequest } from '../../platform/outbound/http-exchange.js';
import { HIDDEN } from '../../platform/secrets/hidden-secrets.js';
import { valueWithMarkers } from '../../platform/secrets/secret-reference.js';
import { buildRequest, type RequestContext, type RequestOptions } from './request.js';

/** A request is built for it where the own address is none: a credential gives its host. */
const SOME_ADDRESS = 'http://host.invalid/';

/**
 * Returns the request of these options with markers in place of references to secrets; without `withBody` no body.
 * @throws PermanentJobError if a marker stands where a request cannot have it, such as in the name of a header.
 */
export function maskedRequest(
  { payload, ...others }: RequestOptions,
  { story, idempotencyKey, signal, body }: RequestContext,
  { withBody }: { withBody: boolean },
): HttpRequest {
  const shown = withBody && payload !== undefined ? { ...others, payload } : others;
  const options = valueWithMarkers(shown as unknown as JsonObject) as unknown as RequestOptions;
  const context: RequestContext = {
    story,
    idempotencyKey,
    signal,
    // The request that is sent has logged the same lines.
    log: () => undefined,
    body: withBody ? body : undefined,
  };
  try {
    return buildRequest(options, context);
  } catch (error) {
    if (!(error instanceof PermanentJobError)) throw error;
    const { url, ...request } = buildRequest({ ...options, url: SOME_ADDRESS }, context);
    return { ...request, url: withQuery(withoutUser(options.url), new URL(url).search) };
  }
}

/** A text that is no address may hold a password before any `@`. */
function withoutUser(address: string): string {
  return address.includes('@') ? HIDDEN : address;
}

function withQuery(address: string, query: string): string {
  if (query === '') return address;
  return address.includes('?') ? `${address}&${query.slice(1)}` : `${address}${query}`;
}
