import type { Check, StoreContext } from '../../check.js';
import { findingIf, type FindingKind } from '../../finding.js';
import { readDeadSpace } from '../../facts/dead-space-store.js';

const DEAD_SPACE: FindingKind = {
  id: 'database.dead-space',
  severity: 'note',
  why: 'Files of tables keep the size of their fullest moment. New rows use the room; other files cannot.',
  remedy:
    'If the disk is needed, run OPTIMIZE TABLE for the table at a quiet time (docs/operate/retention.md).',
};

const MIB = 1024 * 1024;
/** Less is not worth a copy of the table. */
const MUCH_BYTES = 1024 * MIB;

/** Whether files of tables are larger than what is in them. */
export const deadSpaceCheck: Check<StoreContext> = {
  name: 'dead space of tables',
  needs: ['database'],
  kinds: [DEAD_SPACE],
  async run({ database }) {
    const tables = await database.read((session) => readDeadSpace(session, MUCH_BYTES));
    const told = tables.map(
      ({ name, freeBytes, usedBytes }) =>
        `${name}: ${inMib(freeBytes)} MiB free beside ${inMib(usedBytes)} in use`,
    );
    return findingIf(tables.length > 0, DEAD_SPACE, `${told.join('; ')}.`);
  },
};

function inMib(bytes: number): number {
  return Math.round(bytes / MIB);
}
