import { createHash } from 'node:crypto';
import { type RateLimitOption, rateLimitOption } from '../../../agents/face.js';
import { AppError } from '../../../platform/errors.js';
import type { RateCounter } from '../../../platform/http/limits/rate-counter.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import {
  configuredResponse,
  type ConfiguredResponseDeps,
  type StartedCall,
} from '../responses/configured-response.js';

export interface OwnLimitDeps extends ConfiguredResponseDeps {
  /** Counts for all web processes together; without it nothing is counted. */
  windows?: RateCounter | undefined;
}

/**
 * Counts a request against the limit that its webhook sets itself (`rate_limit`), by the value of its key in that
 * request. Without Redis, and with a limit that cannot be used, it is allowed.
 * @throws AppError 429 with `Retry-After`.
 */
export async function checkOwnLimit(started: StartedCall, deps: OwnLimitDeps): Promise<void> {
  const { settings, agent } = started.call;
  if (settings.rateLimit === undefined || deps.windows === undefined) return;
  const limit = await limitOf(started, deps);
  if (limit === undefined) return;
  const { key, count, period } = limit;
  // A digest: the key may be long, or private.
  const digest = createHash('sha256').update(key).digest('base64url').slice(0, 22);
  const name = `webhook:${agent.id}:${digest}`;
  const usage = await deps.windows.count([{ name, perMinute: count }], period * 1000);
  if (usage?.exceeded !== true) return;
  const seconds = Math.max(1, Math.ceil(usage.resetMs / 1000));
  throw new AppError(429, `More than ${count} calls within ${period} s; try again in ${seconds} s`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

/** Renders the option as the body of a response, with what its templates see. */
async function limitOf(started: StartedCall, deps: OwnLimitDeps): Promise<RateLimitOption | undefined> {
  const { call } = started;
  const { rateLimit: response = call.settings.response } = call.settings;
  const rendered = { ...started, call: { ...call, settings: { ...call.settings, response } } };
  const { body } = await configuredResponse(rendered, deps);
  const { value, error } = rateLimitOption.validate(body.startsWith('{') ? parseJson(body) : undefined);
  if (error === undefined && value !== undefined) return value;
  const where = { story_id: call.story.id, agent_id: call.agent.id };
  deps.logger.warn('could not apply the rate_limit of a webhook: its requests are not counted', where);
  return undefined;
}
