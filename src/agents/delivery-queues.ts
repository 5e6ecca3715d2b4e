/** Runs that begin by themselves or by request: each job runs the entry action of one. */
export const START_QUEUE = 'story-runs' as const;

/**
 * Queues of deliveries (ARCHITECTURE.md, Queues and processes): one for starts and one for each agent type that
 * receives events, so that each scales alone and Bull Board shows each flow.
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
