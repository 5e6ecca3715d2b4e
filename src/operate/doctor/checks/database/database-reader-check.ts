import type { Connection } from 'mysql2';
import type { Check, HostContext } from '../../check.js';
import { type DoctorFinding, finding, type FindingKind } from '../../finding.js';
import {
  type DatabaseTarget,
  targetsOf,
} from '../../../../platform/mysql/connections/connection-settings.js';
import { createProbe, type HostState } from '../../../../platform/mysql/hosts/host-probe.js';
import { findContent, findContentOver, type ReplicatedContent } from '../../facts/reader-facts-store.js';

const READER: FindingKind = {
  id: 'database.reader',
  severity: 'warning',
  why: 'DATABASE_READ_URL moves lists and reports off the primary. While no replica keeps up, they are read from the primary.',
  remedy:
    'Start the replica, let it catch up, or remove it from the list. It must replicate the whole database of DATABASE_URL, and its account needs the SELECT privilege.',
};

/** The hosts of DATABASE_READ_URL: whether each of them has what the main database has. */
export const databaseReaderCheck: Check<HostContext> = {
  name: 'read replicas',
  needs: ['database'],
  kinds: [READER],
  async run({ config, database }) {
    const { databaseReadUrl: url, databaseTls: tls } = config;
    if (url === undefined) return [];
    const maxLagMs = config.databaseReadMaxLagSeconds * 1000;
    const main = await database.read(findContent);
    const found = await Promise.all(
      targetsOf({ url, tls }).map((target) => findingsOf(target, { main, maxLagMs })),
    );
    return found.flat();
  },
};

interface Expected {
  main: ReplicatedContent;
  maxLagMs: number;
}

async function findingsOf(target: DatabaseTarget, expected: Expected): Promise<DoctorFinding[]> {
  const probe = createProbe(target, (connection) => stateOf(connection, expected));
  const { kind, reason } = await probe.look();
  probe.close();
  const host = new URL(target.url).host;
  return kind === 'serving'
    ? []
    : [finding(READER, `${host} is not used for reads: ${reason ?? `it is ${kind}`}.`)];
}

async function stateOf(connection: Connection, { main, maxLagMs }: Expected): Promise<HostState> {
  const { identity, beat } = await findContentOver(connection);
  if (identity !== main.identity) {
    return { kind: 'refusing', reason: 'it belongs to another installation, or lacks the latest migration' };
  }
  const lagMs = main.beat - beat;
  if (lagMs <= maxLagMs) return { kind: 'serving' };
  return { kind: 'behind', reason: `it lags by ${Math.round(lagMs / 1000)} seconds` };
}
