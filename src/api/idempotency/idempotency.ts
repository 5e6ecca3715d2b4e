import { createHash } from 'node:crypto';
import type { Actor } from '../auth/actor.js';
import {
  AppError,
  BadRequest,
  Conflict,
  messageOf,
  TooManyRequests,
  Unprocessable,
} from '../../platform/errors.js';
import type { RateCounter } from '../../platform/http/limits/rate-counter.js';
import type { RawBody } from '../../platform/http/body/json-body-reader.js';
import type { Logger } from '../../platform/logger.js';
import type { Database } from '../../platform/mysql/database.js';
import { isDuplicateKey } from '../../platform/mysql/db-errors.js';
import type { AnyRoute } from '../route.js';
import type { RenderedResponse } from '../response/rendered-response.js';
import {
  findRememberedRequest,
  forgetRequest,
  insertRememberedRequest,
  keepResponse,
  type RequestDigests,
} from './idempotency-store.js';

/** The header by which a sender names a request that it may send again. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';
/** Returns whether requests of a route may have a key: a request that writes nothing may be sent again anyway. */
export function takesKey({ method, audit }: AnyRoute<never>): boolean {
  return method === 'post' && audit !== undefined;
}
/** Statuses of a request whose key cannot be used. */
export const KEY_ERRORS = [400, 409, 422];
/** The header of a response that was sent before. */
const REPLAYED = 'Idempotency-Replayed';

const VALID_KEY = /^[\x21-\x7e]{1,255}$/;
/** A larger response is not kept. */
const MAX_RESPONSE_BYTES = 16 * 1024;
/** Requests with a key of one tenant in a minute: each leaves a row for a day, which no quota counts. */
const KEYED_PER_MINUTE = 600;
const NOT_KEPT = 'null';

/** Encrypts responses at rest: some hold a new API key. */
export interface ResponseSeal {
  seal(text: string): Buffer;
  /** @throws if the text was sealed under a key that is not known any more. */
  open(sealed: Buffer): string;
}

export interface IdempotencyDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  seal: ResponseSeal;
  counter: Pick<RateCounter, 'count'>;
  logger: Logger;
}

/** A request that names itself by a key. */
export interface KeyedRequest {
  key: string;
  actor: Actor;
  method: string;
  /** Path and query. */
  address: string;
  body: RawBody;
}

export type Idempotency = ReturnType<typeof createIdempotency>;

/**
 * Makes a write take effect once, however often it is sent with the same `Idempotency-Key` within 24 hours (spec §1.10).
 * A refused write is forgotten, so that it can be sent again. One without a known outcome is never done again.
 */
export function createIdempotency({ database, seal, counter, logger }: IdempotencyDeps) {
  const requireRate = async (tenantId: number): Promise<void> => {
    const whose = 'with an Idempotency-Key of one tenant';
    const name = `keyed:{${tenantId}}`;
    const usage = await counter.count([{ name, perMinute: KEYED_PER_MINUTE, whose }]);
    if (usage?.exceeded !== true) return;
    throw new TooManyRequests(KEYED_PER_MINUTE, Math.max(1, Math.ceil(usage.resetMs / 1000)), whose);
  };

  const begin = async (digests: RequestDigests): Promise<number | undefined> => {
    try {
      return await database.transaction((session) => insertRememberedRequest(digests, session));
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  };

  const keep = async (id: number, response: RenderedResponse): Promise<void> => {
    const text = JSON.stringify(response);
    const kept = Buffer.byteLength(text) > MAX_RESPONSE_BYTES ? NOT_KEPT : text;
    try {
      await database.transaction((session) => keepResponse(id, seal.seal(kept), session));
    } catch (error) {
      // The write was done, and its sender is told so. Sent again, it is refused as one without a known outcome.
      logger.warn('could not save the response to a request with an Idempotency-Key', {
        error: messageOf(error),
      });
    }
  };

  const forget = async (id: number): Promise<void> => {
    try {
      await database.transaction((session) => forgetRequest(id, session));
    } catch (error) {
      logger.warn('could not delete an Idempotency-Key: repeating its request will be rejected', {
        error: messageOf(error),
      });
    }
  };

  const earlier = async ({ digest, requestDigest }: RequestDigests): Promise<RenderedResponse | 'over'> => {
    const found = await database.read((session) => findRememberedRequest(digest, session));
    if (found === undefined) return 'over';
    if (found.isOver) {
      await database.transaction((session) => forgetRequest(found.id, session));
      return 'over';
    }
    if (!found.requestDigest.equals(requestDigest)) throw otherRequest();
    if (found.response === null) throw unknownOutcome();
    return replayed(seal, found.response);
  };

  return {
    /**
     * Does the work, or returns the response that it had before.
     * @throws BadRequest for a key that is none; TooManyRequests; Unprocessable for a key of another request; Conflict if the earlier request
     * has no response yet, or none that is kept; and whatever the work throws.
     */
    async run(request: KeyedRequest, work: () => Promise<RenderedResponse>): Promise<RenderedResponse> {
      const digests = digestsOf(request);
      await requireRate(request.actor.tenantId);
      let id = await begin(digests);
      if (id === undefined) {
        const response = await earlier(digests);
        if (response !== 'over') return response;
        id = await begin(digests);
        if (id === undefined) throw unknownOutcome();
      }
      try {
        const response = await work();
        await keep(id, response);
        return response;
      } catch (error) {
        if (isRefusal(error)) await forget(id);
        throw error;
      }
    },
  };
}

/** Nothing was done after a refusal. What fails otherwise may fail behind the write, when its response is made. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.status < 500;
}

/** Two senders may choose the same key: each user, and each team with an API key of its own, has its own ones. */
function digestsOf({ key, actor, method, address, body }: KeyedRequest): RequestDigests {
  if (!VALID_KEY.test(key)) {
    const message = `"${IDEMPOTENCY_KEY}" must have 1 to 255 visible ASCII characters`;
    throw new BadRequest([{ message, details: IDEMPOTENCY_KEY }]);
  }
  const { tenantId, kind, userId, keyTeamId } = actor;
  // With other rights it is another request: nobody gets a response again that they may not have any more.
  const rights = JSON.stringify([actor.isOwner, [...actor.roles]]);
  return {
    digest: digestOf([tenantId, kind, userId, keyTeamId ?? '', key].join('\n')),
    requestDigest: digestOf(`${method} ${address}\n${rights}\n`, body.bytes),
  };
}

function digestOf(...parts: (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function replayed(seal: ResponseSeal, sealed: Buffer): RenderedResponse {
  const response = opened(seal, sealed);
  if (response === null) throw new Conflict(problem('was completed, but its response was not saved'));
  return { ...response, headers: { ...response.headers, [REPLAYED]: 'true' } };
}

function opened(seal: ResponseSeal, sealed: Buffer): RenderedResponse | null {
  try {
    return JSON.parse(seal.open(sealed)) as RenderedResponse | null;
  } catch {
    // Sealed before ENCRYPTION_KEY was changed: the write was done all the same.
    return null;
  }
}

const otherRequest = () =>
  new Unprocessable(problem('was a different request (method, URL, body and permissions must be the same)'));
const unknownOutcome = () =>
  new Conflict(
    problem(
      'has no response yet. It may still be running, or its outcome is unknown: check before you use another key',
    ),
  );

function problem(what: string) {
  return [{ message: `The request with this "${IDEMPOTENCY_KEY}" ${what}`, details: IDEMPOTENCY_KEY }];
}
