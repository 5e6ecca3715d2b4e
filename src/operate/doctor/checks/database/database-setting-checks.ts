import { LEAST_PACKET_BYTES, fitsPacket } from '../../../../platform/mysql/statements/insert-rows.js';
import type { Check, ServerValues, StoreContext } from '../../check.js';
import { type DoctorFinding, finding, findingIf, type FindingKind } from '../../finding.js';

const ISOLATION: FindingKind = {
  id: 'database.isolation',
  severity: 'error',
  why: 'Sessions request READ COMMITTED. At other levels, transactions block each other or read stale rows.',
  remedy: 'Check for a proxy or an init_connect setting that changes the isolation level.',
};
const FLUSH: FindingKind = {
  id: 'database.flush',
  severity: 'error',
  why: 'If the database machine fails, accepted events are lost.',
  remedy: 'Set innodb_flush_log_at_trx_commit = 1 on the server.',
};
const SYNC_BINLOG: FindingKind = {
  id: 'database.sync-binlog',
  severity: 'error',
  why: 'After a crash, transactions missing from the binary log are rolled back, including accepted events.',
  remedy: 'Set sync_binlog = 1 on the server.',
};
const BINLOG_FORMAT: FindingKind = {
  id: 'database.binlog-format',
  severity: 'error',
  why: 'At READ COMMITTED, InnoDB rejects every write when the binary log is statement-based.',
  remedy: 'Set binlog_format = ROW (or MIXED) on the server.',
};
const READ_ONLY: FindingKind = {
  id: 'database.read-only',
  severity: 'error',
  why: 'A server that rejects writes is a replica, or was demoted by a failover.',
  remedy: 'Point DATABASE_URL at the server that accepts writes.',
};
const PACKET: FindingKind = {
  id: 'database.packet',
  severity: 'error',
  why: 'Multi-row statements exceed the limit, so processes do not start.',
  remedy: 'Set max_allowed_packet = 64M on the server.',
};
const PACKET_SMALL: FindingKind = {
  id: 'database.packet-small',
  severity: 'warning',
  why: 'Bodies up to BODY_LIMIT_BYTES are accepted, but the largest cannot be stored: callers get 413.',
  remedy: 'Set max_allowed_packet = 64M on the server, or lower BODY_LIMIT_BYTES.',
};
const GALERA: FindingKind = {
  id: 'database.galera',
  severity: 'note',
  why: 'Transactions on different nodes that change the same rows conflict and are retried.',
  remedy:
    'Use the same host list in DATABASE_URL for all processes, or route all connections to one node through a proxy (docs/operate/store-errors.md).',
};

const isOn = (value: string | undefined): boolean => /^(?:on|1)$/i.test(value ?? '');

/** The isolation level of sessions, after this program has set it. */
export const isolationCheck: Check<StoreContext> = {
  name: 'database isolation level',
  needs: ['database'],
  kinds: [ISOLATION],
  async run({ databaseSettings }) {
    const settings = await databaseSettings();
    const level = settings.get('transaction_isolation') ?? settings.get('tx_isolation') ?? 'unknown';
    return findingIf(level !== 'READ-COMMITTED', ISOLATION, `The session isolation level is ${level}.`);
  },
};

/** Settings that decide whether a commit outlives a failure of the machine. */
export const flushCheck: Check<StoreContext> = {
  name: 'database durability',
  needs: ['database'],
  kinds: [FLUSH, SYNC_BINLOG],
  async run({ databaseSettings }) {
    const settings = await databaseSettings();
    const flush = settings.get('innodb_flush_log_at_trx_commit') ?? 'unknown';
    const sync = settings.get('sync_binlog') ?? 'unknown';
    return [
      ...findingIf(flush !== '1', FLUSH, `innodb_flush_log_at_trx_commit is ${flush}.`),
      ...findingIf(
        isOn(settings.get('log_bin')) && sync !== '1',
        SYNC_BINLOG,
        `The binary log is enabled, and sync_binlog is ${sync}.`,
      ),
    ];
  },
};

/** Settings of replication that make writes fail, or that need one writer. */
export const replicationCheck: Check<StoreContext> = {
  name: 'database replication',
  needs: ['database'],
  kinds: [BINLOG_FORMAT, READ_ONLY, GALERA],
  async run({ databaseSettings }) {
    const settings = await databaseSettings();
    const format = settings.get('binlog_format') ?? 'unknown';
    const isReadOnly = ['read_only', 'super_read_only'].filter((name) => isOn(settings.get(name)));
    return [
      ...findingIf(
        isOn(settings.get('log_bin')) && format === 'STATEMENT',
        BINLOG_FORMAT,
        'The binary log is enabled, and binlog_format is STATEMENT.',
      ),
      ...findingIf(isReadOnly.length > 0, READ_ONLY, `${isReadOnly.join(' and ')} is on.`),
      ...findingIf(isOn(settings.get('wsrep_on')), GALERA, 'The server is a node of a Galera cluster.'),
    ];
  },
};

/** The largest statement that the server takes. */
export const packetCheck: Check<StoreContext> = {
  name: 'database max_allowed_packet',
  needs: ['database'],
  kinds: [PACKET, PACKET_SMALL],
  async run({ databaseSettings, config }) {
    return packetFindings(await databaseSettings(), config.bodyLimitBytes);
  },
};

function packetFindings(settings: ServerValues, bodyLimitBytes: number): DoctorFinding[] {
  const packet = Number(settings.get('max_allowed_packet'));
  const found = `max_allowed_packet is ${packet} bytes`;
  if (packet < LEAST_PACKET_BYTES) {
    return [finding(PACKET, `${found}; the minimum is ${LEAST_PACKET_BYTES}.`)];
  }
  return findingIf(
    !fitsPacket(bodyLimitBytes, packet),
    PACKET_SMALL,
    `${found}; BODY_LIMIT_BYTES is ${bodyLimitBytes}, and escaping may double it.`,
  );
}
