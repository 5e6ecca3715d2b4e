import type { Page, Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import { listPartIds, type PartFilter } from '../list/story-part-list-store.js';
import type { SkipReason } from './due-schedule-store.js';
import type { Schedule } from './parse-schedule.js';

/** The starts that a schedule left out last: those from `skippedAt` to `skippedUntil`; null: it has left out none. */
interface Skips {
  skippedAt: Date | null;
  skippedUntil: Date | null;
  skippedReason: SkipReason | null;
}

/** A schedule with the action that it starts. */
export interface ListedSchedule extends Schedule, Skips {
  id: number;
  nextAt: Date;
  /** The time that a run was last started for; null: none was. */
  lastAt: Date | null;
  /** Since when it is paused; null: it starts runs. */
  pausedAt: Date | null;
  /** The guid of that run; null if it is not known. */
  lastRunGuid: string | null;
  agent: { id: number; name: string; type: string; disabled: boolean };
  story: { id: number; name: string; disabled: boolean; locked: boolean; hasChangeControl: boolean };
  teamId: number;
}

interface ScheduleRow
  extends Schedule,
    Pick<ListedSchedule, 'id' | 'nextAt' | 'lastAt' | 'pausedAt' | 'lastRunGuid' | 'teamId' | keyof Skips> {
  agentId: number;
  agentName: string;
  type: string;
  agentDisabled: number;
  storyId: number;
  storyName: string;
  storyDisabled: number;
  locked: number;
  hasChangeControl: number;
}

const SCHEDULES = { table: 'schedules', index: 'schedules_story', order: 'p.next_at, p.id' };

/** Returns the ids of a page of schedules of live stories, those that are due next first. */
export function listScheduleIds(filter: PartFilter, window: Window, session: Session): Promise<Page<number>> {
  return listPartIds(filter, SCHEDULES, window, session);
}

/** Returns the schedules with these ids that exist, in the order of the ids. */
export async function findListedSchedules(ids: number[], session: Session): Promise<ListedSchedule[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<ScheduleRow>(
    `SELECT p.id, p.cron, p.timezone, p.next_at AS nextAt, p.last_at AS lastAt, p.last_run_guid AS lastRunGuid,
            p.skipped_at AS skippedAt, p.skipped_until AS skippedUntil, p.skipped_reason AS skippedReason,
            p.paused_at AS pausedAt,
            a.id AS agentId, a.name AS agentName, a.type, a.disabled AS agentDisabled, s.id AS storyId,
            s.name AS storyName, s.disabled AS storyDisabled, s.locked,
            s.change_control_enabled AS hasChangeControl, s.team_id AS teamId
     FROM schedules p FORCE INDEX (PRIMARY) STRAIGHT_JOIN agents a FORCE INDEX (PRIMARY) ON a.id = p.agent_id
       STRAIGHT_JOIN stories s FORCE INDEX (PRIMARY) ON s.id = p.story_id WHERE p.id IN (?)`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, toSchedule(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function toSchedule({
  id,
  cron,
  timezone,
  nextAt,
  lastAt,
  lastRunGuid,
  pausedAt,
  teamId,
  skippedAt,
  skippedUntil,
  skippedReason,
  ...row
}: ScheduleRow): ListedSchedule {
  return {
    id,
    cron,
    timezone,
    nextAt,
    lastAt,
    lastRunGuid,
    pausedAt,
    teamId,
    skippedAt,
    skippedUntil,
    skippedReason,
    agent: { id: row.agentId, name: row.agentName, type: row.type, disabled: row.agentDisabled !== 0 },
    story: {
      id: row.storyId,
      name: row.storyName,
      disabled: row.storyDisabled !== 0,
      locked: row.locked !== 0,
      hasChangeControl: row.hasChangeControl !== 0,
    },
  };
}
