import { type Actor, requireTeam, visibleTeamIds } from '../../api/face.js';
import { NotFound, Unprocessable } from '../../platform/errors.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import {
  findListedSchedules,
  type ListedSchedule,
  listScheduleIds,
  pauseSchedule,
  type SpanTimes,
  type StoryChanges,
  visibleStory,
} from '../../stories/face.js';
import type { RunStatus } from '../runs/run.js';
import { findRunStatuses } from '../runs/run-view-store.js';
import { startsOfEach } from './schedule-starts.js';

/** A schedule with its last run and its next starts. */
export interface ScheduleView extends ListedSchedule {
  /** Null: it started none, or the run is gone. */
  lastRun: { guid: string; status: RunStatus } | null;
  /** Undefined if they were not asked for, or cannot be told. */
  starts: SpanTimes | undefined;
}

/** The schedules that are asked for. */
export interface ScheduleQuery {
  storyId?: number | undefined;
  teamId?: number | undefined;
  /** The next starts up to this time are wanted too. */
  startsUntil?: Date | undefined;
}

export interface ScheduleListDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  changes: Pick<StoryChanges, 'announce'>;
  /** The database's time. */
  nowMs: () => Promise<number>;
}

const DAY_MS = 86_400_000;
/** The longest span whose starts are told. */
export const MOST_DAYS = 31;

export type ScheduleListService = ReturnType<typeof createScheduleListService>;

/** The schedules of stories, with checks of what the actor may see. */
export function createScheduleListService({ database, changes, nowMs }: ScheduleListDeps) {
  const view = async (actor: Actor, id: number): Promise<ScheduleView> => {
    const { schedule, statuses } = await database.read(async (session) => {
      const found = await visibleSchedule(actor, id, 'read', session);
      const guids = found.lastRunGuid === null ? [] : [found.lastRunGuid];
      return { schedule: found, statuses: await findRunStatuses(session, guids) };
    });
    return { ...schedule, ...shown(schedule, statuses), starts: undefined };
  };

  return {
    /**
     * Returns a page of schedules, those that are due next first. @throws NotFound for a story or team that the actor may
     * not see; Unprocessable for a span that is too long.
     */
    async list(actor: Actor, query: ScheduleQuery, window: Window): Promise<Page<ScheduleView>> {
      const span = spanOf(query.startsUntil, await nowMs());
      const { items, total, statuses } = await database.read(async (session) => {
        if (query.teamId !== undefined) requireTeam(actor, query.teamId, 'read');
        if (query.storyId !== undefined) await visibleStory(actor, query.storyId, 'read', session);
        const teamIds = query.teamId === undefined ? visibleTeamIds(actor) : [query.teamId];
        const filter = { tenantId: actor.tenantId, teamIds, storyId: query.storyId };
        const page = await listScheduleIds(filter, window, session);
        const schedules = await findListedSchedules(page.items, session);
        const guids = schedules.flatMap(({ lastRunGuid }) => lastRunGuid ?? []);
        return { items: schedules, total: page.total, statuses: await findRunStatuses(session, guids) };
      });
      const starts = span === undefined ? [] : await startsOfEach(items, span);
      return {
        items: items.map((item, at) => ({ ...item, ...shown(item, statuses), starts: starts[at] })),
        total,
      };
    },

    /** Returns a schedule without its starts. @throws NotFound for one that the actor may not see. */
    get: view,

    /** @throws NotFound and Forbidden as `pause`. */
    async check(actor: Actor, id: number): Promise<void> {
      await database.read((session) => visibleSchedule(actor, id, 'write', session));
    },

    /**
     * Pauses a schedule, or lets it start runs again; the other schedules of its action go on. A locked story allows it, as it
     * may be disabled. @throws NotFound; Forbidden for a role that may not change the story.
     */
    async pause(actor: Actor, id: number, isPaused: boolean): Promise<ScheduleView> {
      const { story } = await database.transaction(async (session) => {
        const found = await visibleSchedule(actor, id, 'write', session);
        await pauseSchedule({ id, isPaused }, session);
        return found;
      });
      await changes.announce(story.id);
      return view(actor, id);
    },
  };
}

async function visibleSchedule(
  actor: Actor,
  id: number,
  need: 'read' | 'write',
  session: Session,
): Promise<ListedSchedule> {
  const [schedule] = await findListedSchedules([id], session);
  if (schedule === undefined) throw new NotFound('Schedule');
  requireTeam(actor, schedule.teamId, need, 'Schedule');
  return schedule;
}

function shown({ lastRunGuid: guid }: ListedSchedule, statuses: Map<string, RunStatus>) {
  const status = guid === null ? undefined : statuses.get(guid);
  return { lastRun: guid === null || status === undefined ? null : { guid, status } };
}

function spanOf(until: Date | undefined, nowMs: number): { after: Date; until: Date } | undefined {
  if (until === undefined) return undefined;
  if (until.getTime() - nowMs > MOST_DAYS * DAY_MS) {
    const message = `starts_until can be at most ${MOST_DAYS} days from now`;
    throw new Unprocessable([{ message, details: 'starts_until' }]);
  }
  return { after: new Date(nowMs), until };
}
