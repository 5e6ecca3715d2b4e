import type { Check, StoreContext } from '../../check.js';
import { findingIf, type FindingKind } from '../../finding.js';
import { readDeadSpace } from '../../facts/dead-space-store.js';

const DEAD_SPACE: FindingKind = {
  id: 'database.dead-space',
  severity: 'note',
  why: 'Table files never shrink. New rows of the same table reuse the space; other files cannot.',
  remedy: 'To free disk space, run OPTIMIZE TABLE at a quiet time (docs/operate/retention.md).',
};

const MIB = 1024 * 1024;
/** Less is not worth a copy of the table. */
const MUCH_BYTES = 1024 * MIB;

/** Whether files of tables are larger than what is in them. */
export const deadSpaceCheck: Check<StoreContext> = {
  name: 'unused table space',
  needs: ['database'],
  kinds: [DEAD_SPACE],
  async run({ database }) {
    const tables = await database.read((session) => readDeadSpace(session, MUCH_BYTES));
    const told = tables.map(
      ({ name, freeBytes, usedBytes }) =>
        `${name}: ${inMib(freeBytes)} MiB unused, ${inMib(usedBytes)} MiB used`,
    );
    return findingIf(tables.length > 0, DEAD_SPACE, `${told.join('; ')}.`);
  },
};

function inMib(bytes: number): number {
  return Math.round(bytes / MIB);
}
