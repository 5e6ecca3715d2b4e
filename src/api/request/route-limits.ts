import type { ServerResponse } from 'node:http';
import type { Actor } from '../auth/actor.js';
import type { Config } from '../../config/face.js';
import { TooManyRequests } from '../../platform/errors.js';
import type { RateCounter, RateLimit, RateUsage } from '../../platform/http/limits/rate-counter.js';

/** The part of a route that rate limits need. */
interface LimitedRoute {
  limit?: 'records-list';
}

/** The part of an actor that rate limits need. */
export type LimitedActor = Pick<Actor, 'keyId' | 'sessionId' | 'userId' | 'tenantId'>;

/** Limits of the REST API (spec §1.8; decision 0032). */
export interface RouteLimits {
  /**
   * Counts one request of the key or session, its user and its tenant, and sets the three `X-RateLimit-…` headers.
   * @throws TooManyRequests if one of them has used up its requests of this minute.
   */
  check(route: LimitedRoute, actor: LimitedActor, response: ServerResponse): Promise<void>;
}

export interface RouteLimitsDeps {
  counter: RateCounter;
  /** Requests a minute for each key or session, each user and each tenant; 0 = no limit. */
  config: Pick<
    Config,
    | 'rateLimitPerMinute'
    | 'userRateLimitPerMinute'
    | 'tenantRateLimitPerMinute'
    | 'recordsListRateLimitPerMinute'
  >;
}

/**
 * Counts a route with its own limit separately for the key and its user; all requests count for the tenant. The braces
 * put the counters of one request into one slot of Redis Cluster, so that one round trip updates them.
 */
export function createRouteLimits({ counter, config }: RouteLimitsDeps): RouteLimits {
  const limitsOf = (
    { limit }: LimitedRoute,
    { keyId, sessionId, userId, tenantId }: LimitedActor,
  ): RateLimit[] => {
    const isList = limit === 'records-list';
    const name = `${isList ? 'records-list' : 'api'}:{${tenantId}}`;
    const { recordsListRateLimitPerMinute: ofList } = config;
    const sender = sessionId === undefined ? `key:${keyId}` : `session:${sessionId}`;
    return [
      { name: `${name}:${sender}`, perMinute: isList ? ofList : config.rateLimitPerMinute },
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
 * Sets the headers with the use of the limit; does nothing if the use is unknown.
 * @throws TooManyRequests if the limit is exceeded.
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
