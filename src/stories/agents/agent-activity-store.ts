import { LOG_LEVELS, parseLineage } from '../../agents/face.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { JsonObject } from '../../platform/json.js';
import type { Session } from '../../platform/mysql/session.js';

/** Times and numbers of the events and log lines of an agent. */
export interface AgentActivity {
  /** Numbers of its stored events and lines, up to `MAX_COUNTED`. */
  events: number;
  logs: number;
  lastEventAt: Date | undefined;
  /** When the event came in that led to its newest event or line; undefined for a first action. */
  lastReceiveAt: Date | undefined;
  lastErrorLogAt: Date | undefined;
  /** When its schedule last started a run. */
  lastCheckAt: Date | undefined;
  /** The memory of modes such as throttle and deduplicate, by name. */
  memory: JsonObject;
}

/** Events and lines of one agent that are counted, newest first; no more of an index is read. */
export const MAX_COUNTED = 10_000;
const MAX_MEMORIES = 1_000;

interface Newest {
  agentId: number;
  count: number;
  lastId: number | null;
  lastErrorId: number | null;
}

/** Returns the activity of each of these agents, by id. */
export async function findAgentActivity(
  ids: readonly number[],
  session: Session,
): Promise<Map<number, AgentActivity>> {
  if (ids.length === 0) return new Map();
  const events = await newest(ids, NEWEST_EVENTS, session);
  const lines = await newest(ids, NEWEST_LINES, session);
  const [times, inputs] = await eventTimes(events, session);
  const logged = await lineTimes(lines, session);
  const received = await inputTimes([...inputs.values(), ...logged.inputs.values()], session);
  const checks = await scheduleTimes(ids, session);
  const memories = await memoriesOf(ids, session);
  return new Map(
    ids.map((id) => [
      id,
      {
        events: events.get(id)?.count ?? 0,
        logs: lines.get(id)?.count ?? 0,
        lastEventAt: times.get(id),
        lastReceiveAt: latestOf(received.get(inputs.get(id) ?? 0), received.get(logged.inputs.get(id) ?? 0)),
        lastErrorLogAt: logged.errors.get(id),
        lastCheckAt: checks.get(id),
        memory: memories.get(id) ?? {},
      },
    ]),
  );
}

function latestOf(...times: (Date | undefined)[]): Date | undefined {
  return times.filter((time) => time !== undefined).toSorted((a, b) => b.getTime() - a.getTime())[0];
}

const NEWEST_EVENTS = `SELECT ? AS agentId, COUNT(*) AS count, MAX(id) AS lastId, NULL AS lastErrorId FROM
  (SELECT id FROM events FORCE INDEX (events_agent) WHERE agent_id = ? ORDER BY id DESC LIMIT ${MAX_COUNTED}) n`;
const NEWEST_LINES = `SELECT ? AS agentId, COUNT(*) AS count, MAX(id) AS lastId,
  MAX(IF(level >= ${LOG_LEVELS.error}, id, NULL)) AS lastErrorId FROM
  (SELECT id, level FROM agent_logs FORCE INDEX (agent_logs_agent)
   WHERE agent_id = ? ORDER BY id DESC LIMIT ${MAX_COUNTED}) n`;

/** Reads the ends of an index, for all agents in one statement. */
async function newest(ids: readonly number[], sql: string, session: Session): Promise<Map<number, Newest>> {
  const rows = await session.rows<Newest>(
    ids.map(() => `(${sql})`).join(' UNION ALL '),
    ids.flatMap((id) => [id, id]),
  );
  return new Map(rows.map((row) => [row.agentId, row]));
}

/** Returns the time of each agent's newest event, and the id of the event that led to it. */
async function eventTimes(
  events: ReadonlyMap<number, Newest>,
  session: Session,
): Promise<[Map<number, Date>, Map<number, number>]> {
  const last = [...events.values()].flatMap(({ lastId }) => lastId ?? []);
  if (last.length === 0) return [new Map(), new Map()];
  const rows = await session.rows<{ agentId: number; createdAt: Date; lineage: string }>(
    'SELECT agent_id AS agentId, created_at AS createdAt, lineage FROM events WHERE id IN (?)',
    [last],
  );
  const inputs = rows.map(({ agentId, lineage }): [number, number] => [
    agentId,
    Object.values(parseLineage(lineage)).reduce((most, id) => Math.max(most, id), 0),
  ]);
  return [new Map(rows.map(({ agentId, createdAt }) => [agentId, createdAt])), new Map(inputs)];
}

/** Returns the time of each agent's newest error, and the event that its newest line is about. */
async function lineTimes(
  lines: ReadonlyMap<number, Newest>,
  session: Session,
): Promise<{ errors: Map<number, Date>; inputs: Map<number, number> }> {
  const found = [...lines.values()];
  const ids = found
    .flatMap(({ lastId, lastErrorId }) => [lastId ?? 0, lastErrorId ?? 0])
    .filter((id) => id > 0);
  if (ids.length === 0) return { errors: new Map(), inputs: new Map() };
  const rows = await session.rows<{ id: number; createdAt: Date; inputId: number | null }>(
    'SELECT id, created_at AS createdAt, inbound_event_id AS inputId FROM agent_logs WHERE id IN (?)',
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const of = <Value>(pick: (line: Newest) => Value | undefined | null) =>
    new Map(
      found.flatMap((line) => {
        const value = pick(line);
        return value === undefined || value === null ? [] : [[line.agentId, value] as const];
      }),
    );
  return {
    errors: of(({ lastErrorId }) => byId.get(lastErrorId ?? 0)?.createdAt),
    inputs: of(({ lastId }) => byId.get(lastId ?? 0)?.inputId),
  };
}

async function inputTimes(ids: number[], session: Session): Promise<Map<number, Date>> {
  if (ids.length === 0) return new Map();
  const rows = await session.rows<{ id: number; createdAt: Date }>(
    'SELECT id, created_at AS createdAt FROM events WHERE id IN (?)',
    [[...new Set(ids)]],
  );
  return new Map(rows.map(({ id, createdAt }) => [id, createdAt]));
}

async function scheduleTimes(ids: readonly number[], session: Session): Promise<Map<number, Date>> {
  const rows = await session.rows<{ agentId: number; lastAt: Date | null }>(
    'SELECT agent_id AS agentId, MAX(last_at) AS lastAt FROM schedules WHERE agent_id IN (?) GROUP BY agent_id',
    [[...ids]],
  );
  return new Map(
    rows.flatMap(({ agentId, lastAt }) => (lastAt === null ? [] : [[agentId, lastAt] as const])),
  );
}

async function memoriesOf(ids: readonly number[], session: Session): Promise<Map<number, JsonObject>> {
  const rows = await session.rows<{ agentId: number; name: string; value: string }>(
    `SELECT agent_id AS agentId, name, value FROM agent_memory WHERE agent_id IN (?)
     ORDER BY agent_id, name LIMIT ${MAX_MEMORIES}`,
    [[...ids]],
  );
  const memories = new Map<number, JsonObject>();
  for (const { agentId, name, value } of rows) {
    memories.set(agentId, { ...memories.get(agentId), [name]: parseJson(value) });
  }
  return memories;
}
