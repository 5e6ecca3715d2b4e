import type { Session } from '../../platform/mysql/session.js';
import type { TimeRange } from './statistics.js';

/** The work of all agents of a type in an hour, of all tenants. */
export interface TypeHour {
  /** The type's name in exports. */
  type: string;
  /** Start of the hour, in ms since 1970. */
  hour: number;
  events: number;
  deadLetters: number;
  handledFailures: number;
}

/** Returns the sums by hour and type in which anything happened. It reads one row for each action and hour, by index. */
export async function sumByType(session: Session, { from, to }: TimeRange): Promise<TypeHour[]> {
  const rows = await session.rows<Omit<TypeHour, 'hour'> & { at: Date }>(
    `SELECT a.type, x.hour AS at, CAST(SUM(x.events) AS SIGNED) AS events,
            CAST(SUM(x.dead_letters) AS SIGNED) AS deadLetters,
            CAST(SUM(x.handled_failures) AS SIGNED) AS handledFailures
     FROM agent_counts x FORCE INDEX (agent_counts_hour) STRAIGHT_JOIN agents a FORCE INDEX (PRIMARY)
       ON a.id = x.agent_id
     WHERE x.hour >= ? AND x.hour < ? GROUP BY x.hour, a.type`,
    [from, to],
  );
  return rows.map(({ at, ...sums }) => ({ ...sums, hour: at.getTime() }));
}
