import { Unavailable } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import type { ObjectStore } from '../../platform/objects/object-store.js';
import type { FindArchivedRun, RunDetails, RunLookup } from '../../observe/face.js';
import { findArchived } from './archive-progress-store.js';
import { readArchivedLines } from './archive-reader.js';
import { createGatheredRun } from './gathered-run.js';

export interface ArchivedRunsDeps {
  database: Pick<Database, 'read'>;
  objects: ObjectStore;
}

/** Creates what reads runs from the archive for the API. */
export function createArchivedRuns({ database, objects }: ArchivedRunsDeps): FindArchivedRun {
  return async (wanted) => {
    const { guid, stored } = wanted;
    if (stored !== undefined) {
      const found = await database.read((session) => findArchived(session, guid));
      if (found === undefined || found.isNewer === 1 || found.events <= found.storedEvents) return undefined;
    }
    try {
      return await gather(objects, wanted);
    } catch (error) {
      throw new Unavailable('The run archive cannot be read', { cause: error });
    }
  };
}

async function gather(objects: ObjectStore, wanted: RunLookup): Promise<RunDetails | undefined> {
  const gathering = createGatheredRun(wanted);
  for await (const line of readArchivedLines(objects, wanted.guid)) gathering.add(line);
  return gathering.details();
}
