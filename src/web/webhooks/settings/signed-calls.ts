import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { Conflict, messageOf } from '../../../platform/errors.js';
import { withTimeout } from '../../../platform/runtime/timeout.js';
import type { Logger } from '../../../platform/logger.js';
import type { WebhookSignature } from './webhook-signature.js';

/** Headers in which senders put a delivery's id, the same for each of its attempts; in lower case. */
const DELIVERY_HEADERS = [
  'x-service-delivery',
  'webhook-id',
  'svix-id',
  'idempotency-key',
  'x-idempotency-key',
  'x-delivery-id',
  'x-webhook-id',
  'x-github-delivery',
  'x-gitlab-event-uuid',
  'x-gitea-delivery',
  'x-shopify-webhook-id',
  'x-event-id',
];
const COMMAND_TIMEOUT_MS = 250;
/** After a failure no command is sent to Redis for this long. */
const PAUSE_MS = 1_000;

/** A webhook request with a valid signature. */
export interface SignedCall {
  agentId: number;
  signature: WebhookSignature;
  headers: IncomingHttpHeaders;
}

/** Prevents the reuse of signatures, if the sender gives its deliveries an id (decision 0031). */
export interface SignedCalls {
  /**
   * Returns the guid for the request's run. The same delivery with the same signature gets the same guid, so that it is
   * stored once. Returns undefined if the request has no delivery id.
   * @throws Conflict for a signature that was used for another delivery.
   */
  guidOf(call: SignedCall): Promise<string | undefined>;
}

export interface SignedCallsDeps {
  redis: Pick<RedisClient, 'multi' | 'get'>;
  prefix: string;
  /** How old, or how far ahead, a signature may be. */
  toleranceSeconds: number;
  logger: Logger;
}

/** Redis maps each signature to its delivery until the signature expires; without Redis all requests pass. */
export function createSignedCalls({ redis, prefix, toleranceSeconds, logger }: SignedCallsDeps): SignedCalls {
  const keepMs = 2 * toleranceSeconds * 1_000;
  let askAgainAt = 0;

  const ask = async (work: () => Promise<unknown>): Promise<unknown> => {
    if (performance.now() < askAgainAt) return null;
    try {
      return await withTimeout(work(), COMMAND_TIMEOUT_MS);
    } catch (error) {
      askAgainAt = performance.now() + PAUSE_MS;
      logger.info('signatures are not recorded: Redis is not responding', { error: messageOf(error) });
      return null;
    }
  };
  const claim = async (key: string, delivery: string): Promise<unknown> => {
    const replies = await redis.multi().set(key, delivery, 'PX', keepMs, 'NX').get(key).exec();
    const [error, holder] = replies?.[1] ?? [];
    if (error !== null && error !== undefined) throw error;
    return holder;
  };

  return {
    async guidOf({ agentId, signature, headers }) {
      const name = digest(`${agentId}:${signature.hmac.toString('hex')}`);
      const key = `${prefix}:signed:${name}`;
      const id = deliveryIdOf(headers);
      const delivery = id === undefined ? undefined : digest(id);
      const holder = await ask(() => (delivery === undefined ? redis.get(key) : claim(key, delivery)));
      if (typeof holder === 'string' && holder !== delivery) {
        throw new Conflict('This signature was already used for another delivery');
      }
      return delivery === undefined ? undefined : guidFrom(`${name}:${delivery}`, signature.timestampMs);
    },
  };
}

/** Returns the sender's id of this delivery; undefined if the request has none. */
function deliveryIdOf(headers: IncomingHttpHeaders): string | undefined {
  const found = DELIVERY_HEADERS.map((name) => headers[name]).find(
    (value) => value !== undefined && value !== '',
  );
  return found === undefined ? undefined : String(found);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

const TIME_BYTES = 6;

/** Returns a version 7 UUID with the given time; the same text gives the same UUID. */
function guidFrom(text: string, timeMs: number): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes.writeUIntBE(Math.min(timeMs, 2 ** 48 - 1), 0, TIME_BYTES);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
