import type { Exchange, MaskRequest } from '../../../agents/face.js';
import { PermanentJobError } from '../../../platform/errors.js';
import type { HttpRequest, HttpResponse } from '../../../platform/outbound/http-exchange.js';
import { writtenRequest } from './written-request.js';
import type { OpenedSecrets } from '../opened-secrets.js';

/** A larger request that may hold secrets is built again without its body: that takes time of the shared event loop. */
const MOST_REBUILT = 256 * 1024;

/** The requests of one execution of an action, of which the one that was sent last is kept. */
export interface SentRequests {
  last: string | undefined;
  /** Its response, which is kept if the action fails; absent: none came. */
  received?: ReceivedResponse | undefined;
}

/** A response as it came. */
export interface ReceivedResponse {
  response: HttpResponse;
  /** Milliseconds from the request to the end of the response. */
  tookMs: number;
  receivedAt: Date;
}

/** The means of keeping a request without its secrets. */
export interface RequestKeeping {
  /** Absent: a request without references to secrets. */
  secrets: OpenedSecrets | undefined;
  /** Absent, as `mask`: nothing is kept. */
  requests: SentRequests | undefined;
  mask: MaskRequest | undefined;
}

/** Sends the request, and keeps it: before it is answered, as the action may be ended meanwhile. A refused one was not sent. */
export async function sendKeeping(
  request: HttpRequest,
  send: () => Promise<Exchange['response']>,
  { secrets, requests, mask }: RequestKeeping,
): Promise<Omit<Exchange, 'host'>> {
  if (requests === undefined || mask === undefined) return { response: await send() };
  requests.last = keptRequest(request, mask, secrets);
  requests.received = undefined;
  const began = performance.now();
  let isSent = false;
  try {
    const response = await send();
    if (response.answered) {
      requests.received = { response, tookMs: performance.now() - began, receivedAt: new Date() };
    }
    isSent = response.answered || response.forbidden !== true;
    return { response, sent: isSent ? requests.last : undefined };
  } finally {
    if (!isSent) requests.last = undefined;
  }
}

/**
 * Returns the request as it is kept: JSON of bounded size without secrets (notes/runs.md, Sent requests). If it may hold secrets, it is
 * built again with markers. Undefined: a marker stands where a request cannot have it.
 */
function keptRequest(
  sent: HttpRequest,
  mask: MaskRequest,
  secrets: OpenedSecrets | undefined,
): string | undefined {
  if (secrets === undefined) return writtenRequest(sent, { sent });
  const withBody = (sent.body?.length ?? 0) + sent.url.length <= MOST_REBUILT;
  const masked = rebuilt(mask, withBody);
  return masked && writtenRequest(masked, { sent, secrets, leavesBodyOut: !withBody });
}

function rebuilt(mask: MaskRequest, withBody: boolean): HttpRequest | undefined {
  try {
    return mask({ withBody });
  } catch (error) {
    // The request itself could be built: nothing is wrong but the place of the marker.
    if (error instanceof PermanentJobError) return undefined;
    throw error;
  }
}
