import Joi from 'joi';
import { DATABASE_VARIABLES, REDIS_VARIABLES } from '../given-variables.js';
import {
  flagVariable,
  integerVariable,
  oneOfVariable,
  redisUrl,
  textVariable,
  urlOfHosts,
} from '../value-types.js';
import { inGroup } from '../variable.js';

const variable = inGroup('Database and Redis');
const certificate = textVariable('a certificate in PEM, or the path of a file with it');

const prefix = Joi.string().pattern(/^[A-Za-z0-9_-]{1,40}$/, 'letters, digits, - and _');

/** Addresses of the two stores, TLS and connections (notes/stores.md, Addresses and accounts). */
export const storeVariables = {
  databaseUrl: variable('DATABASE_URL', urlOfHosts('mysql', 'mysql2', 'mariadb'), {
    required: true,
    secret: true,
    setByStart: true,
    names: DATABASE_VARIABLES,
    meaning: 'Address of the database: MySQL 8 or later, or MariaDB 10.6 or later.',
    note: 'TLS is an option of the address: `?ssl-mode=REQUIRED`. Of several hosts (`mysql://user:password@a,b:3307/name`), the first that accepts writes is used.',
    example: 'mysql://user:password@host:3306/name',
    more: 'store-tls.md',
  }),
  databaseReadUrl: variable('DATABASE_READ_URL', urlOfHosts('mysql', 'mysql2', 'mariadb'), {
    secret: true,
    meaning: 'URL of a database replica, for lists and reports of the API.',
    note: 'Of several hosts, the first that keeps up is used. TLS settings are those of `DATABASE_URL`.',
    example: 'mysql://reader:password@replica:3306/name',
    more: 'database-readers.md',
  }),
  databaseReadMaxLagSeconds: variable(
    'DATABASE_READ_MAX_LAG_SECONDS',
    integerVariable({ min: 2, max: 300 }),
    {
      default: 5,
      unit: 'seconds',
      meaning: 'Replicas that lag by more than this are not used.',
      note: 'For this long after a write, lists of that user come from the primary database.',
      more: 'database-readers.md',
    },
  ),
  databaseTls: {
    ca: variable('DATABASE_TLS_CA', certificate, {
      meaning: 'CA certificate of the database; enables TLS.',
      more: 'store-tls.md',
    }),
    rejectUnauthorized: variable('DATABASE_TLS_REJECT_UNAUTHORIZED', flagVariable, {
      defaultText: 'as the address says',
      meaning: 'Whether the certificate of the database is verified; either value enables TLS.',
    }),
  },
  redisUrl: variable('REDIS_URL', redisUrl, {
    required: true,
    secret: true,
    setByStart: true,
    names: REDIS_VARIABLES,
    meaning: 'Address of Redis 6.2 or later.',
    note: 'A cluster is `redis+cluster://a:7000,b,c`, sentinels are `redis+sentinel://a,b,c/mymaster`.',
    example: 'redis://host:6379',
    more: 'redis.md',
  }),
  redisTlsCa: variable('REDIS_TLS_CA', certificate, {
    meaning: 'CA certificate of Redis.',
  }),
  redisTlsRejectUnauthorized: variable('REDIS_TLS_REJECT_UNAUTHORIZED', flagVariable, {
    default: true,
    meaning:
      'Whether the certificate of Redis is verified; `false` suits a managed Redis with a self-signed one.',
  }),
  redisPolicy: variable('REDIS_POLICY', oneOfVariable('noeviction'), {
    meaning: 'Declares that a Redis that does not report its `maxmemory-policy` never evicts keys.',
    note: 'Without it, such a Redis gets no webhook requests while the database is unreachable.',
    more: 'redis.md',
  }),
  databasePoolSize: variable('DATABASE_POOL_SIZE', integerVariable({ min: 2, max: 200 }), {
    default: 8,
    unit: 'connections',
    meaning: 'Database connections of one process.',
    note: 'Up to five additional connections store runs and events, or reserve ids for them.',
    more: '../decisions/0004-group-commit.md',
  }),
  queuePrefix: variable('QUEUE_PREFIX', textVariable('1 to 40 letters, digits, `-` and `_`', prefix), {
    default: 'fabula',
    meaning: 'Prefix of all queue names in Redis.',
  }),
};
