import type { Check, HostContext } from '../../check.js';
import { type DoctorFinding, finding, type FindingKind } from '../../finding.js';
import { targetsOf } from '../../../../platform/mysql/connections/connection-settings.js';
import { createHostProbe } from '../../../../platform/mysql/hosts/host-state.js';

const HOST: FindingKind = {
  id: 'database.host',
  severity: 'warning',
  why: 'DATABASE_URL lists several hosts so that processes move when one fails. To this one they cannot move.',
  remedy:
    'Start the server, let it join its cluster again, or take it out of the list. A replica that is read-only is well if it is promoted when the first one fails.',
};

/** The hosts of a list in DATABASE_URL: whether each of them could take over now. */
export const databaseHostsCheck: Check<HostContext> = {
  name: 'hosts of the database',
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
          : [finding(HOST, `${host} does not serve: ${reason ?? `it is ${kind}`}.`)];
      }),
    );
    return found.flat();
  },
};
