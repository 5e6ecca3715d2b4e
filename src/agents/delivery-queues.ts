/** The queue of new runs: each job executes the entry action of one run. */
export const START_QUEUE = 'story-runs' as const;

/**
 * The queues of deliveries (ARCHITECTURE.md, Queues and processes): one for new runs and one for each agent type that
 * receives events. So each scales separately, and Bull Board shows each flow.
 */
export const DELIVERY_QUEUES = [
  'story-runs',
  'event-transformation',
  'trigger',
  'http-request',
  'email',
  'send-to-story',
] as const;
export type DeliveryQueue = (typeof DELIVERY_QUEUES)[number];
