import type { Database } from '../../../platform/mysql/database.js';
import { findCalls } from '../../state/deliveries/call-store.js';
import { findEvents } from '../../state/events/event-store.js';
import type { EmissionDeps } from './emission.js';

/** Returns a loader for emissions without cache; unlike the workers' loader it does not wait for an unreachable database. */
export function createDirectLoader(database: Pick<Database, 'read'>): EmissionDeps['loader'] {
  return {
    call: async (guid) => (await database.read((session) => findCalls(session, [guid]))).get(guid),
    events: async (ids) => {
      const events = await database.read((session) => findEvents(session, ids));
      return new Map(events.map((event) => [event.id, event]));
    },
  };
}
