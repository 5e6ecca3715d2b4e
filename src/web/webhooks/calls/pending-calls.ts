import type { RefusalReason } from './refusal-reason.js';

/** The most calls, and the most refusals, that are kept of one webhook. */
export const KEPT_CALLS = 20;

/** A call that was accepted. */
export interface AcceptedCall {
  /** Milliseconds since 1970, by the clock of the web process. */
  at: number;
  status: number;
  /** Bytes of the body as received. */
  bytes: number;
  /** The address that the call came from; behind trusted proxies the one that they name. */
  address: string;
  contentType: string;
  runGuid: string;
}

/** A call that was refused. */
export interface RefusedCall {
  at: number;
  /** The status of the response; 0: the client left before it. */
  status: number;
  reason: RefusalReason;
  message: string;
  address: string;
  contentType: string;
  method: string;
}

/** The calls of one webhook since the last write. */
export interface PendingCalls {
  /** The last accepted calls, in no order. */
  accepted: AcceptedCall[];
  acceptedCount: number;
  refused: RefusedCall[];
  refusedCounts: Map<RefusalReason, number>;
  refusedCount: number;
  /** Calls whose write failed: only their number is known. */
  unrecordedCount: number;
}

/** Returns the record of a webhook without calls. */
export function noCalls(): PendingCalls {
  return {
    accepted: [],
    acceptedCount: 0,
    refused: [],
    refusedCounts: new Map(),
    refusedCount: 0,
    unrecordedCount: 0,
  };
}

/** Returns the place for the next accepted call. In a full record it is the place of the oldest one. */
export function nextAccepted(pending: PendingCalls): AcceptedCall {
  const place = pending.acceptedCount++ % KEPT_CALLS;
  const used = pending.accepted[place];
  if (used !== undefined) return used;
  const unused = { at: 0, status: 0, bytes: 0, address: '', contentType: '', runGuid: '' };
  pending.accepted.push(unused);
  return unused;
}

/** Adds a refused call. In a full record it replaces the oldest one. */
export function addRefused(pending: PendingCalls, call: RefusedCall): void {
  pending.refused[pending.refusedCount++ % KEPT_CALLS] = call;
  pending.refusedCounts.set(call.reason, (pending.refusedCounts.get(call.reason) ?? 0) + 1);
}
