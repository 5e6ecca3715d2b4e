import Joi from 'joi';
import { DATABASE_VARIABLES, REDIS_VARIABLES } from '../given-variables.js';
import { flag, integer, text, url, urlOfHosts } from '../value-types.js';
import { inGroup } from '../variable.js';

const variable = inGroup('Database and Redis');
const certificate = text('a certificate in PEM, or the path of a file with it');

const prefix = Joi.string().pattern(/^[A-Za-z0-9_-]{1,40}$/, 'letters, digits, - and _');

/** Addresses of the two stores, TLS and connections (decision 0033). */
export const storeVariables = {
  databaseUrl: variable('DATABASE_URL', urlOfHosts('mysql', 'mysql2', 'mariadb'), {
    required: true,
    secret: true,
    setByStart: true,
    names: DATABASE_VARIABLES,
    meaning: 'Address of the database: MySQL 8 or later, or MariaDB 10.6 or later.',
    note: 'TLS is an option of the address: `?ssl-mode=REQUIRED`. Of several hosts (`mysql://user:password@a,b:3307/name`), the first that takes writes is used.',
    example: 'mysql://user:password@host:3306/name',
    more: 'operations/store-tls.md',
  }),
  databaseTls: {
    ca: variable('DATABASE_TLS_CA', certificate, {
      meaning: 'Certificate authority of the database; it switches TLS on.',
      more: 'operations/store-tls.md',
    }),
    rejectUnauthorized: variable('DATABASE_TLS_REJECT_UNAUTHORIZED', flag, {
      defaultText: 'as the address says',
      meaning: 'Whether the certificate of the database is verified; either value switches TLS on.',
    }),
  },
  redisUrl: variable('REDIS_URL', url('redis', 'rediss'), {
    required: true,
    secret: true,
    setByStart: true,
    names: REDIS_VARIABLES,
    meaning: 'Address of Redis 6.2 or later; `rediss://` is Redis with TLS.',
    example: 'redis://host:6379',
  }),
  redisTlsCa: variable('REDIS_TLS_CA', certificate, {
    meaning: 'Certificate authority of Redis.',
  }),
  redisTlsRejectUnauthorized: variable('REDIS_TLS_REJECT_UNAUTHORIZED', flag, {
    default: true,
    meaning:
      'Whether the certificate of Redis is verified; `false` suits a managed Redis with a self-signed one.',
  }),
  databasePoolSize: variable('DATABASE_POOL_SIZE', integer({ min: 2, max: 200 }), {
    default: 8,
    unit: 'connections',
    meaning: 'Database connections of one process.',
    note: 'Up to four more connections only store runs and events.',
    more: 'decisions/0020-connections-of-group-commits.md',
  }),
  queuePrefix: variable('QUEUE_PREFIX', text('1 to 40 letters, digits, `-` and `_`', prefix), {
    default: 'fabula',
    meaning: 'First part of the names of all queues in Redis.',
  }),
};
