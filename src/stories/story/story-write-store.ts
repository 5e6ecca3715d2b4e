import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import { inSlices, mapSteps } from '../../platform/steps.js';
import { insertRows } from '../../platform/mysql/statements/insert-rows.js';
import { withLargeTexts } from '../../platform/mysql/statements/large-text.js';
import { textBytes } from '../../platform/mysql/statements/row-statements.js';
import { extraColumns } from '../edit/story-change-store.js';
import type { AgentPlan, LinkPlan, StoryPlan } from '../import/plan/story-plan.js';
import { settleNotes } from '../notes/story-notes.js';
import { writeStorySchedules } from '../schedules/schedule-sync.js';
import { ensureTagsOfStories } from '../../data/face.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { markColumns } from '../steps/step-mark.js';

/** The destination and the owner of a written story. */
export interface StoryHome {
  tenantId: number;
  teamId: number;
  /** undefined: none, or the replaced story's folder. */
  folderId: number | undefined;
  userId: number;
  /** If the story is a draft: of which story, and its own name. */
  draft?: { of: number; name: string };
}

/** Deletes the agents and links of a story before it is rewritten, which frees their webhook paths. */
export async function clearStory(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM links WHERE story_id = ?', [id]);
  await session.run('DELETE FROM agents WHERE story_id = ?', [id]);
}

/** Writes a story with its agents, links, notes and schedules; returns its id. A replaced story must be cleared before. */
export async function writeStory(plan: StoryPlan, home: StoryHome, session: Session): Promise<number> {
  const id =
    plan.replacedId === undefined
      ? await insertStory(plan, home, session)
      : await replaceStory({ ...plan, replacedId: plan.replacedId }, home, session);
  await writeGraph(id, plan, session);
  await settleNotes(id, plan.extra, session);
  if (Object.hasOwn(plan.extra, 'tags')) await ensureTagsOfStories([id], session);
  return id;
}

/** Writes the agents, links and schedules of a story that was cleared. */
export async function writeGraph(
  id: number,
  plan: Pick<StoryPlan, 'agents' | 'links'>,
  session: Session,
): Promise<void> {
  await insertAgents(id, plan.agents, session);
  await insertLinks(id, plan, session);
  await writeStorySchedules(id, plan.agents, session);
}

/** The columns that an import sets on a new story as well as on a replaced one. */
function storyValues(plan: StoryPlan): Record<string, SqlValue> {
  return {
    name: plan.name,
    description: plan.description ?? null,
    schema_version: plan.schemaVersion,
    language: plan.language,
    keep_events_for: plan.keepEventsForSeconds,
    synchronous_webhooks_enabled: plan.synchronousWebhooksEnabled,
    ...extraColumns(plan.extra),
    ...(plan.disabled !== undefined && { disabled: plan.disabled }),
    ...(plan.priority !== undefined && { priority: plan.priority }),
  };
}

async function insertStory(plan: StoryPlan, home: StoryHome, session: Session): Promise<number> {
  const values: Record<string, SqlValue> = {
    tenant_id: home.tenantId,
    team_id: home.teamId,
    folder_id: home.folderId ?? null,
    user_id: home.userId,
    guid: plan.guid,
    draft_of: home.draft?.of ?? null,
    draft_name: home.draft?.name ?? null,
    ...storyValues(plan),
  };
  const columns = Object.keys(values);
  const { insertId } = await session.run(`INSERT INTO stories (${columns.join(', ')}) VALUES (?)`, [
    Object.values(values),
  ]);
  return insertId;
}

async function replaceStory(
  plan: StoryPlan & { replacedId: number },
  home: StoryHome,
  session: Session,
): Promise<number> {
  const values = {
    ...storyValues(plan),
    ...(home.folderId !== undefined && { folder_id: home.folderId }),
  };
  const assignments = Object.keys(values).map((column) => `${column} = ?`);
  await session.run(
    `UPDATE stories SET ${assignments.join(', ')}, version = version + 1, updated_at = NOW(3), edited_at = NOW(3)
     WHERE id = ?`,
    [...Object.values(values), plan.replacedId],
  );
  return plan.replacedId;
}

/** Inserts the agents of a story that has none. Continued agents keep their ids, so that their events stay theirs. */
async function insertAgents(storyId: number, agents: AgentPlan[], session: Session): Promise<void> {
  await insertRows(session, {
    table: 'agents',
    columns: AGENT_COLUMNS,
    rows: await inSlices(mapSteps(agents, (agent, position) => agentRow(storyId, position, agent))),
    sizeOf: (row) => textBytes(row[7], row[10]),
  });
}

/** Inserts a new agent of the story at this position. Returns its id. */
export async function insertAgent(
  storyId: number,
  position: number,
  agent: AgentPlan,
  session: Session,
): Promise<number> {
  const sql = `INSERT INTO agents (${AGENT_COLUMNS.join(', ')}) VALUES (?)`;
  const { insertId } = await session.run(sql, [withLargeTexts(agentRow(storyId, position, agent))]);
  return insertId;
}

const AGENT_COLUMNS =
  'id story_id position type name guid disabled options keep_events_for webhook_path extra created_at step_guid step_version'.split(
    ' ',
  );

function agentRow(storyId: number, position: number, agent: AgentPlan): SqlValue[] {
  const step = markColumns(agent.extra);
  return [
    agent.kept?.id ?? null,
    storyId,
    position,
    agent.type,
    agent.name,
    agent.guid,
    agent.disabled,
    stringifyJson(agent.options),
    agent.keepEventsForSeconds,
    agent.webhookPath ?? null,
    stringifyJson(agent.extra),
    agent.kept?.createdAt ?? new Date(),
    step?.guid ?? null,
    step?.version ?? null,
  ];
}

async function insertLinks(storyId: number, plan: Pick<StoryPlan, 'links'>, session: Session): Promise<void> {
  if (plan.links.length === 0) return;
  const agents = await session.rows<{ id: number; guid: string }>(
    'SELECT id, guid FROM agents WHERE story_id = ?',
    [storyId],
  );
  const ids = new Map(agents.map(({ id, guid }) => [guid, id]));
  const rows = await inSlices(
    mapSteps(plan.links, (link, position) => linkRow(storyId, position, link, ids)),
  );
  await insertRows(session, {
    table: 'links',
    columns: 'story_id position source_agent_id receiver_agent_id link_type extra'.split(' '),
    rows,
    sizeOf: (row) => textBytes(row[5]),
  });
}

function linkRow(
  storyId: number,
  position: number,
  link: LinkPlan,
  ids: ReadonlyMap<string, number>,
): SqlValue[] {
  const source = ids.get(link.sourceGuid);
  const receiver = ids.get(link.receiverGuid);
  if (source === undefined || receiver === undefined) {
    throw new Error(`Link ${position} of story ${storyId} has an end that was not written`);
  }
  return [storyId, position, source, receiver, link.linkType ?? null, stringifyJson(link.extra)];
}
