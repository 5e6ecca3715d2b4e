/** From the most to the least severe. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;

/** The least severe level that a logger writes. */
export type LogLevel = (typeof LOG_LEVELS)[number];
