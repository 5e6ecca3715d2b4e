import type { ReasonKind } from './reason.js';

export const DATABASE_AWAY: ReasonKind = {
  id: 'database.unreachable',
  severity: 'error',
  why: 'Without the database nothing runs. Webhook requests are spooled in Redis until the spool is full.',
  remedy: 'Start the server, and check host, port, user, password and TLS in DATABASE_URL.',
};
export const REDIS_AWAY: ReasonKind = {
  id: 'redis.unreachable',
  severity: 'error',
  why: 'Webhook requests are stored in MySQL, but workers get no jobs.',
  remedy: 'Start the server, and check host, port, user, password and TLS in REDIS_URL.',
};
