import { createHash } from 'node:crypto';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { idsOrNone, type Page, readPage, type Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import { type FoundDifference, differenceGroupOf } from './run-comparison.js';
import { MOST_EXAMPLES, MOST_GROUPS, type ShadowDifference } from './shadow.js';

/** A difference of one run. */
export interface RunDifference {
  found: FoundDifference;
  run: { id: number; guid: string; createdAt: Date };
}

/** What became of the differences of a turn. */
export interface AddedDifferences {
  /** New groups that had no room. */
  leftOut: number;
  /** The groups that the runs are in. */
  groups: { differenceId: number; runId: number }[];
}

/** The runs of one group in one turn. */
interface Group {
  found: FoundDifference;
  firstAt: Date;
  lastAt: Date;
  runIds: number[];
  examples: string[];
}

/** Adds differences to the groups of a shadow, each run once to each group. The caller holds the row of the shadow. */
export async function addDifferences(
  session: Session,
  shadowId: number,
  differences: readonly RunDifference[],
): Promise<AddedDifferences> {
  const added: AddedDifferences = { leftOut: 0, groups: [] };
  const groups = groupsIn(differences);
  if (groups.size === 0) return added;
  const known = await knownGroups(session, shadowId, [...groups.keys()]);
  let room = MOST_GROUPS - known.count;
  for (const [digest, group] of groups) {
    const earlier = known.groups.get(digest);
    if (earlier === undefined && room <= 0) {
      added.leftOut += 1;
      continue;
    }
    if (earlier === undefined) room -= 1;
    else await extend(session, earlier, group);
    const differenceId = earlier?.id ?? (await insert(session, { shadowId, digest, group }));
    added.groups.push(...group.runIds.map((runId) => ({ differenceId, runId })));
  }
  return added;
}

function groupsIn(differences: readonly RunDifference[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  const counted = new Set<string>();
  for (const { found, run } of differences) {
    const { id, guid, createdAt: at } = run;
    const digest = createHash('sha256').update(differenceGroupOf(found)).digest('hex');
    if (counted.has(`${digest} ${id}`)) continue;
    counted.add(`${digest} ${id}`);
    const group = groups.get(digest);
    if (group === undefined) {
      groups.set(digest, { found, firstAt: at, lastAt: at, runIds: [id], examples: [guid] });
      continue;
    }
    group.runIds.push(id);
    if (at < group.firstAt) group.firstAt = at;
    if (at > group.lastAt) group.lastAt = at;
    if (group.examples.length < MOST_EXAMPLES) group.examples.push(guid);
  }
  return groups;
}

async function knownGroups(session: Session, shadowId: number, digests: string[]) {
  const [all] = await session.rows<{ count: number }>(
    'SELECT COUNT(*) AS count FROM shadow_differences WHERE shadow_id = ?',
    [shadowId],
  );
  const rows = await session.rows<KnownGroup & { digest: string }>(
    'SELECT id, digest, examples FROM shadow_differences WHERE shadow_id = ? AND digest IN (?)',
    [shadowId, digests],
  );
  return { count: all?.count ?? 0, groups: new Map(rows.map((row) => [row.digest, row])) };
}

interface KnownGroup {
  id: number;
  examples: string;
}

async function extend(
  session: Session,
  { id, examples }: KnownGroup,
  { runIds, examples: more, firstAt, lastAt }: Group,
): Promise<void> {
  const named = [...new Set([...(parseJson(examples) as string[]), ...more])].slice(0, MOST_EXAMPLES);
  await session.run(
    `UPDATE shadow_differences SET runs = runs + ?, examples = ?, first_run_at = LEAST(first_run_at, ?),
            last_run_at = GREATEST(last_run_at, ?) WHERE id = ?`,
    [runIds.length, stringifyJson(named), firstAt, lastAt, id],
  );
}

interface NewGroup {
  shadowId: number;
  digest: string;
  group: Group;
}

async function insert(session: Session, { shadowId, digest, group }: NewGroup): Promise<number> {
  const { found, runIds, firstAt, lastAt, examples } = group;
  const { actionId, pastActionId, guid, name, kind, path, before, after, teamId } = found;
  const { insertId } = await session.run(
    `INSERT INTO shadow_differences (shadow_id, digest, action_id, live_action_id, action_guid, action_name, kind, path,
                                     before_type, after_type, runs, first_run_at, last_run_at, examples, team_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
             COALESCE((SELECT s.team_id FROM agents a JOIN stories s ON s.id = a.story_id WHERE a.id = ?), ?))`,
    [
      shadowId,
      digest,
      actionId,
      pastActionId,
      guid,
      name,
      kind,
      path,
      before,
      after,
      runIds.length,
      firstAt,
      lastAt,
      stringifyJson(examples),
      pastActionId ?? actionId,
      teamId ?? null,
    ],
  );
  return insertId;
}

/** Groups of a shadow as far as their actions are of one of these teams: runs call stories of others. */
interface SeenGroups {
  shadowId: number;
  teamIds: number[];
}

/** An action that is no more keeps the team that it had. */
const SEEN = {
  from: `shadow_differences d LEFT JOIN agents a ON a.id = COALESCE(d.live_action_id, d.action_id)
         LEFT JOIN stories s ON s.id = a.story_id`,
  where: 'd.shadow_id = ? AND (s.team_id IN (?) OR (s.team_id IS NULL AND d.team_id IN (?)))',
  values: ({ shadowId, teamIds }: SeenGroups) => [shadowId, idsOrNone(teamIds), idsOrNone(teamIds)],
};

/** Returns whether a group is among them. */
export async function isSeen(session: Session, of: SeenGroups, differenceId: number): Promise<boolean> {
  const rows = await session.rows(`SELECT d.id FROM ${SEEN.from} WHERE ${SEEN.where} AND d.id = ?`, [
    ...SEEN.values(of),
    differenceId,
  ]);
  return rows.length > 0;
}

/** Returns a page of the groups, those of most runs first. */
export async function listDifferences(
  session: Session,
  of: SeenGroups,
  window: Window,
): Promise<Page<ShadowDifference>> {
  const query = {
    columns: `d.id, d.action_id AS actionId, d.action_guid AS guid, d.action_name AS name, d.kind, d.path,
              d.before_type AS \`before\`, d.after_type AS \`after\`, d.runs, d.first_run_at AS firstRunAt,
              d.last_run_at AS lastRunAt, d.examples`,
    from: SEEN.from,
    where: SEEN.where,
    values: SEEN.values(of),
    order: 'd.runs DESC, d.id',
  };
  const page = await readPage<Omit<ShadowDifference, 'examples'> & { examples: string }>(
    session,
    query,
    window,
  );
  const items = page.items.map((row) => ({ ...row, examples: parseJson(row.examples) as string[] }));
  return { ...page, items };
}

/** Deletes the differences of a shadow. */
export async function deleteDifferences(session: Session, shadowId: number): Promise<void> {
  await session.run('DELETE FROM shadow_differences WHERE shadow_id = ?', [shadowId]);
}
