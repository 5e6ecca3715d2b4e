import type { ReasonKind } from './reason.js';

export const DATABASE_AWAY: ReasonKind = {
  id: 'database.unreachable',
  severity: 'error',
  why: 'Without the database nothing runs; webhook requests are spooled in Redis until its room is used up.',
  remedy: 'Start the server; correct host, port, user, password and TLS in DATABASE_URL.',
};
export const REDIS_AWAY: ReasonKind = {
  id: 'redis.unreachable',
  severity: 'error',
  why: 'Webhook requests are stored in MySQL, but no worker gets a job.',
  remedy: 'Start the server; correct host, port, user, password and TLS in REDIS_URL.',
};
