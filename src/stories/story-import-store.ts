import type { Session } from '../platform/mysql/session.js';
import type { JsonObject } from '../platform/json.js';
import type { ReplacedStory } from './import/story-plan.js';
import { parseJson } from '../platform/json/parse-json.js';

/** Locks the team, so that its imports run one at a time; returns false if there is no such team. */
export async function lockTeam(teamId: number, tenantId: number, session: Session): Promise<boolean> {
  const rows = await session.rows('SELECT id FROM teams WHERE id = ? AND tenant_id = ? FOR UPDATE', [
    teamId,
    tenantId,
  ]);
  return rows.length > 0;
}

/** Returns those of `names` that are in use by stories of the team. */
export async function findStoryNames(
  teamId: number,
  names: string[],
  session: Session,
): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await session.rows<{ name: string }>(
    'SELECT name FROM stories WHERE team_id = ? AND name IN (?)',
    [teamId, names],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Returns those of `paths` that webhooks of other stories than `exceptStoryId` use, on the whole server. */
export async function findTakenPaths(
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

interface ReplacedAgentRow {
  id: number;
  guid: string;
  createdAt: Date;
  webhookPath: string | null;
  options: string;
  extra: string;
}

/** Returns the team's newest story with exactly this name, with the parts that a new version keeps. */
export async function findReplacedStory(
  teamId: number,
  name: string,
  session: Session,
): Promise<ReplacedStory | undefined> {
  const rows = await session.rows<{
    id: number;
    guid: string;
    name: string;
    locked: number;
    controlled: number;
  }>(
    'SELECT id, guid, name, locked, change_control_enabled AS controlled FROM stories WHERE team_id = ? AND name = ? ORDER BY created_at DESC, id DESC FOR UPDATE',
    [teamId, name],
  );
  const story = rows.find((row) => row.name === name);
  if (story === undefined) return undefined;
  const agents = await session.rows<ReplacedAgentRow>(
    'SELECT id, guid, created_at AS createdAt, webhook_path AS webhookPath, options, extra FROM agents' +
      ' WHERE story_id = ? ORDER BY position, id',
    [story.id],
  );
  return {
    id: story.id,
    guid: story.guid,
    locked: story.locked === 1,
    changeControlEnabled: story.controlled === 1,
    agents: agents.map(toReplacedAgent),
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
