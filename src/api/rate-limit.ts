import type { ServerResponse } from 'node:http';
import type { Actor } from '../access/auth/actor.js';
import type { Config } from '../config/config.js';
import { TooManyRequests } from '../platform/errors.js';
import type { RateCounter, RateLimit, RateUsage } from '../platform/http/rate-counter.js';

/** A route as far as its rate limit goes. */
interface LimitedRoute {
  limit?: 'records-list';
}

/** Who calls, as far as limits care. */
export type LimitedActor = Pick<Actor, 'keyId' | 'userId' | 'tenantId'>;

/** Limits of the REST API (spec §1.8; decision 0032). */
export interface RouteLimits {
  /**
   * Counts one call of the key, of its user and of its tenant, and sets the three `X-RateLimit-…` headers.
   * @throws TooManyRequests when one of them has had its calls of this minute.
   */
  check(route: LimitedRoute, actor: LimitedActor, response: ServerResponse): Promise<void>;
}

export interface RouteLimitsDeps {
  counter: RateCounter;
  /** Calls a minute for each key, each user and each tenant; 0 = no limit. */
  config: Pick<
    Config,
    | 'rateLimitPerMinute'
    | 'userRateLimitPerMinute'
    | 'tenantRateLimitPerMinute'
    | 'recordsListRateLimitPerMinute'
  >;
}

/**
 * A route with a limit of its own is counted apart for the key and its user; all calls count for the tenant. The braces
 * keep the counters of one call in one slot, so that they are one round trip.
 */
export function createRouteLimits({ counter, config }: RouteLimitsDeps): RouteLimits {
  const limitsOf = ({ limit }: LimitedRoute, { keyId, userId, tenantId }: LimitedActor): RateLimit[] => {
    const isList = limit === 'records-list';
    const name = `${isList ? 'records-list' : 'api'}:{${tenantId}}`;
    const { recordsListRateLimitPerMinute: ofList } = config;
    return [
      { name: `${name}:key:${keyId}`, perMinute: isList ? ofList : config.rateLimitPerMinute },
      {
        name: `${name}:user:${userId}`,
        perMinute: isList ? ofList : config.userRateLimitPerMinute,
        whose: 'of one user',
      },
      { name: `api:{${tenantId}}`, perMinute: config.tenantRateLimitPerMinute, whose: 'of one tenant' },
    ];
  };

  return {
    async check(route, actor, response) {
      const active = limitsOf(route, actor).filter(({ perMinute }) => perMinute > 0);
      enforce(active.length === 0 ? undefined : await counter.count(active), response);
    },
  };
}

/**
 * Tells the caller how far its limit is used up; does nothing where it is not known.
 * @throws TooManyRequests when the limit is exceeded.
 */
export function enforce(usage: RateUsage | undefined, response: ServerResponse): void {
  if (usage === undefined) return;
  const { limit, remaining, resetMs, whose } = usage;
  response.setHeader('X-RateLimit-Limit', String(limit));
  response.setHeader('X-RateLimit-Remaining', String(remaining));
  // The time the window ends, in seconds since the epoch.
  response.setHeader('X-RateLimit-Reset', String(Math.ceil((Date.now() + resetMs) / 1000)));
  if (!usage.exceeded) return;
  throw new TooManyRequests(limit, Math.max(1, Math.ceil(resetMs / 1000)), whose);
}
