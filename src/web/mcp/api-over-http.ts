import { AppError, messageOf, type Problem, Unavailable } from '../../platform/errors.js';
import { isJsonObject } from '../../platform/json.js';
import { mediaTypeOf } from '../../platform/headers/content-type.js';
import type { ApiRequest } from './api-request.js';
import type { ToolResponse } from './responses/written-response.js';

const TIMEOUT_MS = 120_000;
const MAX_BYTES = 32 * 1024 * 1024;

/** The address of a Fabula server, and a key for it. */
export interface RemoteApi {
  /** Without a slash at its end. */
  url: string;
  key: string;
}

/**
 * Sends a request of a tool to a server. Returns the response. Follows no redirect: the key is for this server. `cancelled` closes
 * the connection.
 * @throws AppError as the server answered; Unavailable if it cannot be reached, or does not answer within two minutes.
 */
export async function callOverHttp(
  { url, key }: RemoteApi,
  { method, address, body }: ApiRequest,
  cancelled: AbortSignal,
): Promise<ToolResponse> {
  const response = await reached(() =>
    fetch(url + address, {
      method,
      redirect: 'error',
      signal: AbortSignal.any([cancelled, AbortSignal.timeout(TIMEOUT_MS)]),
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json',
      },
      ...(body.length > 0 && { body }),
    }),
  );
  const text = await reached(() => boundedText(response));
  if (response.ok) return { text: requireJson(response, text), unkept: 0 };
  throw new AppError(response.status, problemsIn(text));
}

/** A proxy may answer with a page. */
function requireJson({ headers }: Response, text: string): string {
  const type = mediaTypeOf(headers.get('content-type') ?? undefined);
  if (text !== '' && type !== 'application/json')
    throw new AppError(502, 'The server did not respond with JSON');
  return text;
}

async function reached<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { cause } = error as { cause?: unknown };
    throw new Unavailable(`The server is unreachable: ${messageOf(cause ?? error)}`, { cause: error });
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new AppError(502, `The response exceeds ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The problems that the server names; a proxy may answer with something else. */
function problemsIn(text: string): Problem[] {
  const errors = errorsIn(text).filter((one) => typeof one.message === 'string');
  return errors.length > 0 ? errors : [{ message: 'The server responded with an error but no reason' }];
}

function errorsIn(text: string): Problem[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return []; // not JSON: the server named no problem
  }
  return isJsonObject(value) && Array.isArray(value['errors'])
    ? (value['errors'] as unknown as Problem[])
    : [];
}
