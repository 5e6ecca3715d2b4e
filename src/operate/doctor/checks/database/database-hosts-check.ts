import type { Check, HostContext } from '../../check.js';
import { type DoctorFinding, finding, type FindingKind } from '../../finding.js';
import { targetsOf } from '../../../../platform/mysql/connections/connection-settings.js';
import { createHostProbe } from '../../../../platform/mysql/hosts/host-probe.js';

const HOST: FindingKind = {
  id: 'database.host',
  severity: 'warning',
  why: 'DATABASE_URL lists several hosts for failover. Processes cannot fail over to this one.',
  remedy:
    'Start the server, rejoin it to its cluster, or remove it from the list. A read-only replica is fine if it is promoted on failover.',
};

/** The hosts of a list in DATABASE_URL: whether each of them could take over now. */
export const databaseHostsCheck: Check<HostContext> = {
  name: 'database hosts',
  needs: [],
  kinds: [HOST],
  async run({ config }) {
    const targets = targetsOf({ url: config.databaseUrl, tls: config.databaseTls });
    if (targets.length === 1) return [];
    const found = await Promise.all(
      targets.map(async (target): Promise<DoctorFinding[]> => {
        const probe = createHostProbe(target);
        const { kind, reason } = await probe.look();
        probe.close();
        const host = new URL(target.url).host;
        return kind === 'serving'
          ? []
          : [finding(HOST, `${host} is unavailable: ${reason ?? `it is ${kind}`}.`)];
      }),
    );
    return found.flat();
  },
};
