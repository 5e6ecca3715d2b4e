import { archivePlace } from '../../archive/archive-place.js';
import { findProgress, readLag } from '../../archive/archive-progress-store.js';
import type { Check, StoreContext } from '../check.js';
import { findingIf, type FindingKind } from '../finding.js';

const LAG: FindingKind = {
  id: 'work.archive-lag',
  severity: 'warning',
  why: 'Retention does not delete unarchived data, so the tables grow while the archive lags.',
  remedy: 'Check the log of the "maintenance" process (or "worker"), and that ARCHIVE_TO is writable.',
};
const PLACE: FindingKind = {
  id: 'work.archive-place',
  severity: 'error',
  why: 'While ARCHIVE_TO differs from the location of the existing archive, nothing is archived or deleted.',
  remedy: 'Set ARCHIVE_TO to the previous location. Or move all files, then run "fabula archive --moved".',
};

const LONG_SECONDS = 3_600;
const MANY_RUNS = 100_000;

/** Whether runs are archived in time. */
export const archiveCheck: Check<StoreContext> = {
  name: 'run archive',
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
      ...findingIf(
        isLate,
        LAG,
        `The archive is ${seconds} s behind; ${waiting} runs are waiting to be archived.`,
      ),
      ...findingIf(isElsewhere, PLACE, 'The existing archive is not at ARCHIVE_TO.'),
    ];
  },
};
