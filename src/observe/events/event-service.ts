import { type Actor, canRead, requireTeam, visibleTeamIds } from '../../api/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { NO_PAGE, type WalkPage, type WalkWindow } from '../../platform/mysql/statements/newest-page.js';
import type { Session } from '../../platform/mysql/session.js';
import type { TenantQuotas } from '../../people/face.js';
import { visibleStory } from '../../stories/face.js';
import type { EventRecord, EventView } from './event.js';
import { type EventSearch, listEventIds } from './event-list-store.js';
import { viewCumulative, viewEvents, viewEventsCumulative, viewOwnOutput } from './event-views.js';
import { visibleRunAgent, visibleEvent } from '../runs/run-access.js';
import { redactEvent } from '../runs/redact-run.js';
import { findRunPlace, type RunStory } from '../runs/run-place-store.js';

/** The filter of a list of events; all conditions must hold. */
export interface EventQuery {
  storyId?: number | undefined;
  /** From `agent_id` and `action_id`, which mean the same. */
  agentIds: number[];
  storyRunGuid?: string | undefined;
  sinceId?: number | undefined;
  untilId?: number | undefined;
  teamId?: number | undefined;
  /** The same as in `EventSearch`. */
  since?: Date | undefined;
  until?: Date | undefined;
  reemittedOnly?: boolean | undefined;
  /** Whether each event includes everything that its receivers see, instead of its own output only. */
  cumulative?: boolean;
}

/** Stores the event's output again as a new event; returns its id. @throws Conflict if it cannot be delivered. */
export type ReemitEvent = (event: EventRecord) => Promise<number>;

export interface EventServiceDeps {
  database: Pick<Database, 'read'>;
  reemit: ReemitEvent;
  quotas: Pick<TenantQuotas, 'requireArrival'>;
}

export type EventService = ReturnType<typeof createEventService>;

/** Events, with checks of what the actor may see and re-emit (spec §2.2 and §5.8). */
export function createEventService({ database, reemit, quotas }: EventServiceDeps) {
  const get = (actor: Actor, id: number): Promise<EventView> =>
    database.read(async (session) => {
      const event = await visibleEvent(session, actor, { id, need: 'read' });
      return redactEvent(actor, await viewCumulative(session, event));
    });

  return {
    /** Returns a page, newest first. @throws NotFound for a story, an action or a team that the actor may not see. */
    list(actor: Actor, query: EventQuery, window: WalkWindow): Promise<WalkPage<EventView>> {
      return database.read(async (session) => {
        const search = await searchOf(session, actor, query);
        if (search === undefined) return NO_PAGE;
        const page = await listEventIds(session, search, window);
        const view = query.cumulative === true ? viewEventsCumulative : viewEvents;
        const events = await view(session, page.items);
        return { ...page, items: events.map((event) => redactEvent(actor, event)) };
      });
    },

    /** Returns the event with everything that its receivers see. @throws NotFound for one that the actor may not see. */
    get,

    /** Returns the event with its own output only. @throws NotFound as `get`. */
    getOwnOutput: (actor: Actor, id: number): Promise<EventView> =>
      database.read(async (session) => {
        const event = await visibleEvent(session, actor, { id, need: 'read' });
        return redactEvent(actor, await viewOwnOutput(session, event));
      }),

    /**
     * Delivers the event to the current receivers of its action; returns the new event.
     * @throws NotFound and Forbidden; Conflict if story or action is disabled or deleted, or the run was cancelled;
     * QuotaReached.
     */
    async reemit(actor: Actor, id: number): Promise<EventView> {
      const event = await database.read((session) => visibleEvent(session, actor, { id, need: 'write' }));
      quotas.requireArrival(actor.tenantId);
      return get(actor, await reemit(event));
    },
  };
}

/** Returns undefined if nothing can match. */
async function searchOf(session: Session, actor: Actor, query: EventQuery): Promise<EventSearch | undefined> {
  const { storyId, storyRunGuid, teamId, sinceId, untilId, since, until, reemittedOnly } = query;
  const agentIds = [...new Set(query.agentIds)];
  if (teamId !== undefined) requireTeam(actor, teamId, 'read', 'Team');
  const places: RunStory[] = [];
  if (storyId !== undefined) {
    places.push({ storyId, teamId: (await visibleStory(actor, storyId, 'read', session)).teamId });
  }
  for (const id of agentIds) places.push(await visibleRunAgent(session, actor, id));
  if (storyRunGuid !== undefined) {
    const place = await findRunPlace(session, { guid: storyRunGuid, tenantId: actor.tenantId });
    if (place === undefined || !canRead(actor, place.teamId)) return undefined;
    places.push(place);
  }
  const storyIds = new Set(places.map((place) => place.storyId));
  if (storyIds.size > 1 || agentIds.length > 1) return undefined;
  if (places.some((place) => teamId !== undefined && place.teamId !== teamId)) return undefined;
  const scope = scopeOf(actor, query);
  return { scope, agentId: agentIds[0], sinceId, untilId, since, until, reemittedOnly };
}

/** Returns the narrowest scope of the query. */
function scopeOf(
  actor: Actor,
  { storyId, agentIds, storyRunGuid, teamId }: EventQuery,
): EventSearch['scope'] {
  const [agentId] = agentIds;
  if (storyRunGuid !== undefined) return { kind: 'run', storyRunGuid };
  if (agentId !== undefined) return { kind: 'agent', agentId };
  if (storyId !== undefined) return { kind: 'story', storyId };
  return {
    kind: 'teams',
    tenantId: actor.tenantId,
    teamIds: teamId === undefined ? visibleTeamIds(actor) : [teamId],
  };
}
