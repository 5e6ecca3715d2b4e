/** The purpose of each queue. */
export const QUEUE_WORDS: Readonly<Record<string, string>> = {
  'webhook-events': 'webhook calls spooled while MySQL is down',
  'story-runs': 'the first action of each run',
  'event-transformation': 'transformations, delays and records',
  trigger: 'rules that filter events',
  'http-request': 'requests to other servers',
  email: 'mails',
  'send-to-story': 'calls of other stories',
};

/** The meaning of each figure. */
export const FIGURE_WORDS = {
  waiting: 'Jobs in Redis that no worker has taken yet. If this grows, add workers or slots.',
  pending: 'Deliveries with a job in Redis, or about to get one. They are waiting for a worker or running.',
  running: 'Running jobs, out of the slots of all live workers.',
  oldest: 'Age of the oldest waiting job. More than a minute is late.',
  oldestDelivery: 'Age of the oldest delivery that has a job or is held.',
  held: 'Their story has used its share of jobs, so it cannot starve others. Each gets a job when another one of its story ends.',
  retrying: 'An attempt failed and will be retried later. Nothing is lost yet.',
  sleeping: 'Delayed by their options, or paused while the story or action is disabled.',
  parked: 'Waiting for the rest of a group, or for a story they called.',
  letters: 'They failed permanently. Fix the cause, then retry them on the dead letters page.',
  hour: 'Jobs finished and jobs failed permanently in the last hour, including postponed attempts.',
} as const;
