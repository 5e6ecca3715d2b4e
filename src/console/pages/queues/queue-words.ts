/** The purpose of each queue. */
export const QUEUE_WORDS: Readonly<Record<string, string>> = {
  'webhook-events': 'calls of webhooks that wait until MySQL is back',
  'story-runs': 'the first action of each run',
  'event-transformation': 'transformations, waits and records',
  trigger: 'rules that let events pass',
  'http-request': 'requests to other servers',
  email: 'mails',
  'send-to-story': 'calls of other stories',
};

/** The meaning of each figure. */
export const FIGURE_WORDS = {
  waiting: 'Jobs in Redis that no worker has taken yet. If it grows, there are too few workers or slots.',
  pending: 'Deliveries that have a job in Redis, or get one now: they wait for a worker, or are at work.',
  running: 'Jobs that are at work now, of all that the live workers can do at once (their slots).',
  oldest: 'How long the job that waits longest has waited for a worker. More than a minute is late.',
  oldestDelivery: 'How long ago the oldest delivery that has a job, or is held back, was made.',
  held: 'Their story has its share of jobs already, so that it cannot starve others. Each gets a job when one of its story ends.',
  retrying: 'An attempt failed, and another follows at a later time. Nothing is lost yet.',
  sleeping: 'A delay that was asked for, or a rest while the story or the action is disabled.',
  parked: 'They wait for something else: the rest of a group, or a story that they called.',
  letters: 'They failed for good. Mend the cause, then send them again from the page of dead letters.',
  hour: 'Jobs that ended in the last hour, and those that failed for good. Attempts that were put off count too.',
} as const;
