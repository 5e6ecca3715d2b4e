import { pendingMigrations, unknownMigrations } from '../../../../platform/mysql/schema/migrate.js';
import type { Check, StoreContext } from '../../check.js';
import { finding, findingIf, type FindingKind } from '../../finding.js';
import {
  readCharacterSets,
  readConnectionFigures,
  readServerTime,
  readVersion,
} from '../../facts/database-facts-store.js';
import { skewOf } from '../../skew.js';
import { isOlder } from '../../version-number.js';

const VERSION: FindingKind = {
  id: 'database.version',
  severity: 'error',
  why: 'Fabula uses JSON_TABLE and SKIP LOCKED, which older servers do not support.',
  remedy: 'Upgrade to MySQL 8 or later, or to MariaDB 10.6 or later.',
};
const CHARACTER_SET: FindingKind = {
  id: 'database.character-set',
  severity: 'warning',
  why: 'New tables inherit the character set of the database. Only utf8mb4 can store every character.',
  remedy:
    'ALTER DATABASE … CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci; then convert the tables listed here.',
};
const PENDING: FindingKind = {
  id: 'database.migrations-pending',
  severity: 'error',
  why: 'Processes of this version do not accept requests until every migration has run.',
  remedy: 'Run "npm run -s fabula -- migrate".',
};
const NEWER: FindingKind = {
  id: 'database.migrations-newer',
  severity: 'note',
  why: 'A newer version has migrated the database. This version keeps running, but was not built for that schema.',
  remedy: 'Finish rolling out the newer version.',
};
const CLOCK: FindingKind = {
  id: 'database.clock',
  severity: 'warning',
  why: 'Due times use the database clock; signatures and logs use the clock of this machine.',
  remedy: 'Synchronise the clocks of all machines (chrony, systemd-timesyncd).',
};
const CONNECTIONS: FindingKind = {
  id: 'database.connections',
  severity: 'warning',
  why: 'When max_connections is reached, the server refuses connections, and webhook requests are spooled or rejected.',
  remedy: 'Raise max_connections, lower DATABASE_POOL_SIZE, or find the programs that hold connections.',
};

const LEAST_VERSION = { mysql: '8.0', mariadb: '10.6' };
/** Part of `max_connections` from which it is reported. */
const MANY = 0.8;

/** The version of the server. */
export const versionCheck: Check<StoreContext> = {
  name: 'database version',
  needs: ['database'],
  kinds: [VERSION],
  async run({ database }) {
    const version = await database.read(readVersion);
    const kind = /mariadb/i.test(version) ? 'mariadb' : 'mysql';
    return findingIf(
      isOlder(version, LEAST_VERSION[kind]),
      VERSION,
      `The server version is ${version}; the minimum is ${LEAST_VERSION[kind]}.`,
    );
  },
};

/** The character set of the database and of its tables. */
export const characterSetCheck: Check<StoreContext> = {
  name: 'database character set',
  needs: ['database'],
  kinds: [CHARACTER_SET],
  async run({ database }) {
    const { database: set, tables } = await database.read(readCharacterSets);
    return [
      ...findingIf(set !== 'utf8mb4', CHARACTER_SET, `The database character set is ${set}.`),
      ...findingIf(tables.length > 0, CHARACTER_SET, `Tables without utf8mb4: ${tables.join(', ')}.`),
    ];
  },
};

/** Migrations that have not run, or that a newer version has run. */
export const migrationCheck: Check<StoreContext> = {
  name: 'database migrations',
  needs: ['database'],
  kinds: [PENDING, NEWER],
  async run({ database }) {
    const [pending, unknown] = await Promise.all([
      pendingMigrations(database.knex),
      unknownMigrations(database.knex),
    ]);
    return [
      ...findingIf(pending.length > 0, PENDING, `${countOf(pending)} are pending: ${fewOf(pending)}.`),
      ...findingIf(
        unknown.length > 0,
        NEWER,
        `${countOf(unknown)} are unknown to this version: ${fewOf(unknown)}.`,
      ),
    ];
  },
};

const SHOWN = 3;
const countOf = (ids: string[]) => `${ids.length} migrations`;
const fewOf = (ids: string[]) => ids.slice(0, SHOWN).join(', ') + (ids.length > SHOWN ? ' …' : '');

/** The clock of the server against the clock of this process. */
export const clockCheck: Check<StoreContext> = {
  name: 'database clock',
  needs: ['database'],
  kinds: [CLOCK],
  async run({ database, nowMs }) {
    const skew = await skewOf(() => database.read(readServerTime), nowMs);
    return skew === undefined ? [] : [finding(CLOCK, `The database clock ${skew}.`)];
  },
};

/** The connections that are in use. */
export const connectionCheck: Check<StoreContext> = {
  name: 'database connections',
  needs: ['database'],
  kinds: [CONNECTIONS],
  async run({ database, databaseSettings }) {
    const [settings, figures] = await Promise.all([databaseSettings(), database.read(readConnectionFigures)]);
    const [used, most] = [Number(figures.get('threads_connected')), Number(settings.get('max_connections'))];
    return findingIf(used >= most * MANY, CONNECTIONS, `${used} of ${most} connections are in use.`);
  },
};
