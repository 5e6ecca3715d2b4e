import { type Actor, EventStream, requireTeam } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { isEntryId, type ListenedStream, START } from '../../platform/redis/listened-stream.js';
import type { Logger } from '../../platform/logger.js';
import { visibleStory } from '../../stories/face.js';
import { createLiveEventScopes } from './live-event-scopes.js';
import { createStreamHub } from './stream-hub.js';
import { createStreamReader, type StreamFilter, type StreamPosition } from './stream-reader.js';
import { AppError, Unavailable } from '../../platform/errors.js';

/** How many readers one web process has. */
interface StreamLimits {
  max: number;
  maxPerUser: number;
}

/** A tenant may use this share of a process's connections. */
const SHARE_OF_TENANT = 0.5;
const RETRY_AFTER_SECONDS = '10';

/** 429: the user or its tenant has too many streams open. */
class TooManyStreams extends AppError {
  constructor(most: number, whose: string) {
    super(429, `${whose} can have at most ${most} open streams per process`, {
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    });
  }
}

export interface StreamServiceDeps {
  database: Pick<Database, 'read'>;
  stream: ListenedStream;
  limits: StreamLimits;
  logger: Logger;
}

/** A request for a stream. */
export interface StreamRequest {
  filter: StreamFilter;
  /** The place after which the client has seen nothing; of any form. */
  lastEventId: string | undefined;
  /** Ends by itself after this time. */
  seconds: number;
}

export type StreamService = ReturnType<typeof createStreamService>;

/** Tells events of stories as they happen, with checks of what the actor may see. */
export function createStreamService({ database, stream, limits, logger }: StreamServiceDeps) {
  const hub = createStreamHub({ stream, place: createLiveEventScopes({ database }), logger });
  const limit = createStreamLimit(limits);
  return {
    /**
     * Returns the stream of what the actor may see.
     * @throws NotFound for a story or team that it may not see. Its beginning throws if too many streams are open.
     */
    async open(actor: Actor, { filter, lastEventId, seconds }: StreamRequest): Promise<EventStream> {
      const { storyId, teamId } = filter;
      if (teamId !== undefined) requireTeam(actor, teamId, 'read');
      if (storyId !== undefined)
        await database.read((session) => visibleStory(actor, storyId, 'read', session));
      const begin: EventStream['begin'] = (sink) => {
        const leaveRoom = limit.enter(actor);
        try {
          const leaveHub = hub.enter(createStreamReader(actor, filter, sink), positionOf(lastEventId));
          return () => {
            leaveHub();
            leaveRoom();
          };
        } catch (error) {
          leaveRoom();
          throw error;
        }
      };
      return new EventStream(begin, { longestMs: seconds * 1_000 });
    },

    /** Ends all streams of this process. */
    close: () => hub.close(),
  };
}

/** Returns the place that the id of an event names: `<entry>.<number of its events sent>`. Any other id is too old. */
function positionOf(eventId: string | undefined): StreamPosition | undefined {
  if (eventId === undefined) return undefined;
  const [entryId = '', sent] = eventId.split('.');
  if (!isEntryId(entryId)) return { entryId: START };
  return { entryId, ...(sent !== undefined && /^\d{1,6}$/.test(sent) && { sent: Number(sent) }) };
}

/** Counts the open streams of this process. */
function createStreamLimit({ max, maxPerUser }: StreamLimits) {
  const counts = new Map<string, number>();
  const maxPerTenant = Math.ceil(max * SHARE_OF_TENANT);
  const add = (key: string, step: number) => {
    const count = (counts.get(key) ?? 0) + step;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  };
  return {
    /** Counts one more stream; returns what takes it back. @throws TooManyStreams; Unavailable if the process is full. */
    enter({ userId, tenantId }: Actor): () => void {
      const [user, tenant, all] = [`user ${userId}`, `tenant ${tenantId}`, 'all'];
      if ((counts.get(user) ?? 0) >= maxPerUser) throw new TooManyStreams(maxPerUser, 'A user');
      if ((counts.get(tenant) ?? 0) >= maxPerTenant) throw new TooManyStreams(maxPerTenant, 'A tenant');
      if ((counts.get(all) ?? 0) >= max) throw new Unavailable('This process cannot open more streams');
      for (const key of [user, tenant, all]) add(key, 1);
      return () => {
        for (const key of [user, tenant, all]) add(key, -1);
      };
    },
  };
}
