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
  runGuid: string;
  runAt: Date;
}

/** The runs of one group in one turn. */
interface Group {
  found: FoundDifference;
  runs: number;
  firstAt: Date;
  lastAt: Date;
  examples: string[];
}

/**
 * Adds differences to the groups of a shadow, each run once to each group. The caller holds the row of the shadow. Returns how many new
 * groups had no room.
 */
export async function addDifferences(
  session: Session,
  shadowId: number,
  differences: readonly RunDifference[],
): Promise<number> {
  const groups = groupsIn(differences);
  if (groups.size === 0) return 0;
  const known = await knownGroups(session, shadowId, [...groups.keys()]);
  let room = MOST_GROUPS - known.count;
  let leftOut = 0;
  for (const [digest, group] of groups) {
    const earlier = known.examples.get(digest);
    if (earlier !== undefined) {
      await extend(session, { shadowId, digest, group, examples: parseJson(earlier) as string[] });
    } else if (room > 0) {
      room -= 1;
      await insert(session, { shadowId, digest, group });
    } else leftOut += 1;
  }
  return leftOut;
}

function groupsIn(differences: readonly RunDifference[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  const counted = new Set<string>();
  for (const { found, runGuid, runAt } of differences) {
    const digest = createHash('sha256').update(differenceGroupOf(found)).digest('hex');
    if (counted.has(`${digest} ${runGuid}`)) continue;
    counted.add(`${digest} ${runGuid}`);
    const group = groups.get(digest);
    if (group === undefined) {
      groups.set(digest, { found, runs: 1, firstAt: runAt, lastAt: runAt, examples: [runGuid] });
      continue;
    }
    group.runs += 1;
    if (runAt < group.firstAt) group.firstAt = runAt;
    if (runAt > group.lastAt) group.lastAt = runAt;
    if (group.examples.length < MOST_EXAMPLES) group.examples.push(runGuid);
  }
  return groups;
}

async function knownGroups(session: Session, shadowId: number, digests: string[]) {
  const [all] = await session.rows<{ count: number }>(
    'SELECT COUNT(*) AS count FROM shadow_differences WHERE shadow_id = ?',
    [shadowId],
  );
  const rows = await session.rows<{ digest: string; examples: string }>(
    'SELECT digest, examples FROM shadow_differences WHERE shadow_id = ? AND digest IN (?)',
    [shadowId, digests],
  );
  return {
    count: all?.count ?? 0,
    examples: new Map(rows.map(({ digest, examples }) => [digest, examples])),
  };
}

interface Change {
  shadowId: number;
  digest: string;
  group: Group;
}

async function extend(
  session: Session,
  { shadowId, digest, group, examples }: Change & { examples: string[] },
): Promise<void> {
  const named = [...new Set([...examples, ...group.examples])].slice(0, MOST_EXAMPLES);
  await session.run(
    `UPDATE shadow_differences SET runs = runs + ?, examples = ?, first_run_at = LEAST(first_run_at, ?),
            last_run_at = GREATEST(last_run_at, ?) WHERE shadow_id = ? AND digest = ?`,
    [group.runs, stringifyJson(named), group.firstAt, group.lastAt, shadowId, digest],
  );
}

async function insert(session: Session, { shadowId, digest, group }: Change): Promise<void> {
  const { found, runs, firstAt, lastAt, examples } = group;
  const { actionId, pastActionId, guid, name, kind, path, before, after } = found;
  await session.run(
    `INSERT INTO shadow_differences (shadow_id, digest, action_id, live_action_id, action_guid, action_name, kind, path,
                                     before_type, after_type, runs, first_run_at, last_run_at, examples)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      runs,
      firstAt,
      lastAt,
      stringifyJson(examples),
    ],
  );
}

/**
 * Returns a page of the groups of a shadow, those of most runs first. Actions of stories that the shadow's runs called are shown if
 * they are of one of these teams.
 */
export async function listDifferences(
  session: Session,
  { shadowId, teamIds }: { shadowId: number; teamIds: number[] },
  window: Window,
): Promise<Page<ShadowDifference>> {
  const query = {
    columns: `d.id, d.action_id AS actionId, d.action_guid AS guid, d.action_name AS name, d.kind, d.path,
              d.before_type AS \`before\`, d.after_type AS \`after\`, d.runs, d.first_run_at AS firstRunAt,
              d.last_run_at AS lastRunAt, d.examples`,
    from: `shadow_differences d LEFT JOIN agents a ON a.id = COALESCE(d.live_action_id, d.action_id)
           LEFT JOIN stories s ON s.id = a.story_id`,
    where: 'd.shadow_id = ? AND (s.team_id IS NULL OR s.team_id IN (?))',
    values: [shadowId, idsOrNone(teamIds)],
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
