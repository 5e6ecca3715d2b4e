import type { ServerResponse } from 'node:http';
import type { Actor } from '../auth/actor.js';
import type { Config } from '../config.js';
import { TooManyRequests } from '../errors.js';
import type { RateCounter, RateLimit, RateUsage } from './rate-counter.js';

/** A route as far as its rate limit goes. */
interface LimitedRoute {
  limit?: 'records-list';
}

/** Limits of the REST API (decisions §1, Rate limits). */
export interface RouteLimits {
  /**
   * Counts one call of the key and sets the three `X-RateLimit-…` headers.
   * @throws TooManyRequests when the key has had its calls of this minute.
   */
  check(route: LimitedRoute, actor: Pick<Actor, 'keyId'>, response: ServerResponse): Promise<void>;
}

export interface RouteLimitsDeps {
  counter: RateCounter;
  /** Calls a minute for each key; 0 = no limit. */
  config: Pick<Config, 'rateLimitPerMinute' | 'recordsListRateLimitPerMinute'>;
}

/** A route with a limit of its own is counted there only; all others share the general one. */
export function createRouteLimits({ counter, config }: RouteLimitsDeps): RouteLimits {
  const limitOf = ({ limit }: LimitedRoute, keyId: number): RateLimit =>
    limit === 'records-list'
      ? { name: `records-list:${keyId}`, perMinute: config.recordsListRateLimitPerMinute }
      : { name: `api:${keyId}`, perMinute: config.rateLimitPerMinute };

  return {
    check: (route, { keyId }, response) => enforce(counter, [limitOf(route, keyId)], response),
  };
}

/**
 * Counts one call against those of `limits` that are not 0, and sets the headers of the tightest.
 * @throws TooManyRequests when one of them is exceeded.
 */
export async function enforce(
  counter: RateCounter,
  limits: readonly RateLimit[],
  response: ServerResponse,
): Promise<void> {
  const active = limits.filter(({ perMinute }) => perMinute > 0);
  if (active.length === 0) return;
  const usage = await counter.count(active);
  if (usage === undefined) return;
  for (const [name, value] of Object.entries(rateHeaders(usage))) response.setHeader(name, value);
  if (usage.exceeded) throw new TooManyRequests(usage.limit, Math.max(1, Math.ceil(usage.resetMs / 1000)));
}

/** `X-RateLimit-Reset` is the time the window ends, in seconds since the epoch. */
function rateHeaders({ limit, remaining, resetMs }: RateUsage): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil((Date.now() + resetMs) / 1000)),
  };
}
