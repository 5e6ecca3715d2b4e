/** The parts of the server that can log at a level of their own, and what each logs. */
export const LOG_COMPONENTS = {
  requests: 'Requests to the API, and those that failed',
  webhooks: 'Calls of webhooks, their responses, and the spool',
  jobs: 'Jobs, and actions that crashed',
  queues: 'Jobs that are added, held back and taken',
  upkeep: 'The relay, schedules, groups, retention and notifications',
  stores: 'Connections to MySQL and Redis',
  access: 'Keys, quotas, the audit log and the board',
} as const;

export type LogComponent = keyof typeof LOG_COMPONENTS;

/** The names of all components. */
export const LOG_COMPONENT_NAMES = Object.keys(LOG_COMPONENTS) as LogComponent[];
