import type { Window } from '../../platform/mysql/statements/page-query.js';
import type { StoryRecord } from '../../stories/face.js';
import type { RunDetails } from './run-details.js';

/** A run that the archive may have. */
export interface RunLookup {
  guid: string;
  story: StoryRecord;
  tenantId: number;
  /** The page of events. */
  window: Window;
  /** The run as the tables have it; undefined: they have it no longer. */
  stored: RunDetails | undefined;
}

/**
 * Returns the run as the archive has it; undefined if the archive does not have it, or has no more than the tables.
 * @throws Unavailable if the archive cannot be read.
 */
export type FindArchivedRun = (wanted: RunLookup) => Promise<RunDetails | undefined>;
