import { archivePlace } from '../../archive/archive-place.js';
import { findProgress, readLag } from '../../archive/archive-progress-store.js';
import type { Check, StoreContext } from '../check.js';
import { findingIf, type FindingKind } from '../finding.js';

const LAG: FindingKind = {
  id: 'work.archive-lag',
  severity: 'warning',
  why: 'Retention deletes nothing that is not archived: the tables grow while the archive is behind.',
  remedy: 'See the log of the "maintenance" process (or "worker"), and that ARCHIVE_TO can be written.',
};
const PLACE: FindingKind = {
  id: 'work.archive-place',
  severity: 'error',
  why: 'Nothing is archived or deleted while the archive of the database is at another place than ARCHIVE_TO.',
  remedy: 'Set ARCHIVE_TO to the old place; or move all files, then run "fabula archive --moved".',
};

const LONG_SECONDS = 3_600;
const MANY_RUNS = 100_000;

/** Whether runs are archived in time. */
export const archiveCheck: Check<StoreContext> = {
  name: 'archive of runs',
  needs: ['database'],
  kinds: [LAG, PLACE],
  async run({ database, config }) {
    if (config.archiveTo === undefined) return [];
    const { lag, progress } = await database.read(async (session) => ({
      lag: await readLag(session, config.archiveAfterHours),
      progress: await findProgress(session),
    }));
    const { seconds, waiting } = lag;
    const isLate = seconds > LONG_SECONDS || waiting >= MANY_RUNS;
    const isElsewhere = progress.place !== '' && progress.place !== archivePlace(config.archiveTo);
    return [
      ...findingIf(isLate, LAG, `The archive is ${seconds} s behind, and ${waiting} runs wait for it.`),
      ...findingIf(isElsewhere, PLACE, 'The archive that was written so far is not at ARCHIVE_TO.'),
    ];
  },
};
