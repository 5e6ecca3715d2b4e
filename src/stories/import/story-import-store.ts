import { claimRows } from '../../platform/mysql/lease/claim-rows.js';
import type { Session } from '../../platform/mysql/session.js';
import { inSlices, mapSteps } from '../../platform/steps.js';
import type { JsonObject } from '../../platform/json.js';
import type { ReplacedStory } from './plan/story-plan.js';
import { parseJson } from '../../platform/json/parse-json.js';

/** Locks the team, so that its imports run one at a time; returns false if there is no such team. */
export async function lockTeam(teamId: number, tenantId: number, session: Session): Promise<boolean> {
  return (await claimRows(session, 'teams', { ids: [teamId], tenantId })) > 0;
}

/** Returns those of `names` that are in use by stories of the team. */
export async function findStoryNames(
  teamId: number,
  names: string[],
  session: Session,
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await session.rows<{ name: string }>(
    'SELECT name FROM stories WHERE team_id = ? AND name IN (?) AND draft_of IS NULL',
    [teamId, names],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Returns the names of the team's stories with these guids, by guid. */
export async function findStoryGuids(
  teamId: number,
  guids: string[],
  session: Session,
): Promise<Map<string, string>> {
  if (guids.length === 0) return new Map();
  const rows = await session.rows<{ guid: string; name: string }>(
    'SELECT guid, name FROM stories WHERE team_id = ? AND guid IN (?) AND draft_of IS NULL',
    [teamId, guids],
  );
  return new Map(rows.map(({ guid, name }) => [guid, name]));
}

/** Returns those of `paths` that webhooks of other stories than `exceptStoryId` use, on the whole server. */
export async function findTakenWebhookPaths(
  paths: string[],
  exceptStoryId: number | undefined,
  session: Session,
): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const rows = await session.rows<{ path: string }>(
    'SELECT webhook_path AS path FROM agents WHERE webhook_path IN (?) AND story_id <> ?',
    [paths, exceptStoryId ?? 0],
  );
  return new Set(rows.map(({ path }) => path));
}

/** Returns those of `guids` that agents on this server have. */
export async function findTakenGuids(guids: string[], session: Session): Promise<Set<string>> {
  if (guids.length === 0) return new Set();
  const rows = await session.rows<{ guid: string }>('SELECT guid FROM agents WHERE guid IN (?)', [guids]);
  return new Set(rows.map(({ guid }) => guid));
}

interface ReplacedAgentRow {
  id: number;
  guid: string;
  type: string;
  name: string;
  createdAt: Date;
  webhookPath: string | null;
  options: string;
  extra: string;
}

interface ReplacedRow {
  id: number;
  guid: string;
  name: string;
  userId: number;
  updatedAt: Date;
  locked: number;
  controlled: number;
}

const REPLACED_COLUMNS =
  'id, guid, name, user_id AS userId, updated_at AS updatedAt, locked, change_control_enabled AS controlled';

/** Locks and returns the team's newest story with exactly this name, with the parts that a new version keeps. */
export async function findReplacedStory(
  teamId: number,
  name: string,
  session: Session,
): Promise<ReplacedStory | undefined> {
  const rows = await session.rows<ReplacedRow>(
    `SELECT ${REPLACED_COLUMNS} FROM stories WHERE team_id = ? AND name = ? AND draft_of IS NULL
     ORDER BY created_at DESC, id DESC FOR UPDATE`,
    [teamId, name],
  );
  const story = rows.find((row) => row.name === name);
  return story && withAgents(story, session);
}

/** Locks and returns the story with this id, with the same parts. */
export async function lockReplacedStory(id: number, session: Session): Promise<ReplacedStory | undefined> {
  const [story] = await session.rows<ReplacedRow>(
    `SELECT ${REPLACED_COLUMNS} FROM stories WHERE id = ? FOR UPDATE`,
    [id],
  );
  return story && withAgents(story, session);
}

async function withAgents(
  { name: _name, locked, controlled, ...story }: ReplacedRow,
  session: Session,
): Promise<ReplacedStory> {
  const agents = await session.rows<ReplacedAgentRow>(
    'SELECT id, guid, type, name, created_at AS createdAt, webhook_path AS webhookPath, options, extra FROM agents' +
      ' WHERE story_id = ? ORDER BY position, id',
    [story.id],
  );
  return {
    ...story,
    locked: locked === 1,
    changeControlEnabled: controlled === 1,
    agents: await inSlices(mapSteps(agents, toReplacedAgent)),
  };
}

function toReplacedAgent({ options, extra, webhookPath, ...row }: ReplacedAgentRow) {
  const { guid } = parseJson(extra) as JsonObject;
  const { secret } = parseJson(options) as JsonObject;
  return {
    ...row,
    exportGuid: typeof guid === 'string' ? guid : undefined,
    webhookPath: webhookPath ?? undefined,
    secret: webhookPath !== null && typeof secret === 'string' ? secret : undefined,
  };
}
