import type { QuotaName } from '../../../people/face.js';

/** Why a delivery is `waiting`, as it is stored with it. A quota by its name: it is used up. */
export type StoredWaitReason =
  | 'retry'
  | 'rate_limit'
  | 'throttle'
  | 'delay'
  | 'credential'
  | 'disabled'
  | 'frozen'
  | QuotaName;

/** Why an open delivery does not run now: the stored reasons, those of the other states, and those of its job in Redis. */
export const WAIT_REASONS = [
  'mails_per_day',
  'records',
  'rate_limit',
  'throttle',
  'retry',
  'delay',
  'credential',
  'disabled',
  'frozen',
  'fair_share',
  'group',
  'call',
  'slots',
  'paused',
  'no_process',
  'queued',
  'running',
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

/** What each reason means, for the documentation. */
export const WAIT_REASON_TEXT =
  '`mails_per_day`, `records`: the quota is used up; `rate_limit`: the server answered 429; `throttle`: its action lets only so many through; `retry`: an attempt failed; `delay`: its action waits for a set time; `credential`: a credential must be connected; `disabled`: its action or story is disabled; `frozen`: the tenant is being moved; `fair_share`: its story has its share of jobs; `group`: the rest of its group is missing; `call`: a story that it called is running; `slots`: its story has all the slots of a worker; `paused`: its queue is paused; `no_process`: no process serves its queue; `queued`: it waits for its turn; `running`: a worker has it';

/**
 * SQL of why a delivery waits. `d` is the delivery, `a` its agent. A delivery that waits since before the column was there has
 * no stored reason. `queued`: Redis knows more. Null: a dead letter.
 */
export const WAIT_REASON_SQL = `CASE d.state WHEN 'pending' THEN 'queued' WHEN 'held' THEN 'fair_share'
         WHEN 'parked' THEN IF(a.type = 'Agents::SendToStoryAgent', 'call', 'group')
         WHEN 'waiting' THEN COALESCE(d.wait_reason, IF(d.attempts > 0 AND d.error IS NOT NULL, 'retry', 'delay')) END`;
