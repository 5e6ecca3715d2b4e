import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Actor, Role } from '../../src/api/auth/actor.js';
import type { Database } from '../../src/platform/mysql/database.js';
import type { JsonObject } from '../../src/platform/json.js';

/** Real exports; they are not part of the repository, so tests that use them skip where they are missing. */
export const REAL_EXPORTS = path.resolve(__dirname, '../../../shared/stories');

/** The real exports as `[file, text]`; empty where they are missing. */
export function realExports(): [string, string][] {
  return existsSync(REAL_EXPORTS) ? exportsIn(REAL_EXPORTS) : [];
}

/** Adds a skipped test whose title tells that tests of this file ran without the real exports; none where those are there. */
export function tellMissingExports(): void {
  if (existsSync(REAL_EXPORTS)) return;
  test.skip('the real exports are not beside this checkout: only stories of the repository were tried', () =>
    undefined);
}

/** The JSON files of a folder as `[file, text]`, by name. */
export function exportsIn(folder: string): [string, string][] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]);
}

/** A team in a tenant of its own, with a user in it. */
export async function makeTeam(
  db: Database,
  options: { tenantId?: number; role?: Role; owner?: boolean } = {},
): Promise<Actor & { teamId: number }> {
  const { role = 'EDITOR', owner = false } = options;
  return db.read(async (session) => {
    const insert = async (sql: string, values: (string | number | boolean)[]) =>
      (await session.run(sql, values)).insertId;
    const tenantId = options.tenantId ?? (await insert("INSERT INTO tenants (name) VALUES ('T')", []));
    const teamId = await insert("INSERT INTO teams (tenant_id, name) VALUES (?, 'Team')", [tenantId]);
    const email = `user${teamId}@example.test`;
    const userId = await insert('INSERT INTO users (tenant_id, email, is_owner) VALUES (?, ?, ?)', [
      tenantId,
      email,
      owner,
    ]);
    await insert('INSERT INTO memberships (team_id, user_id, role) VALUES (?, ?, ?)', [teamId, userId, role]);
    return {
      keyId: 0,
      kind: 'personal',
      tenantId,
      userId,
      userEmail: email,
      isOwner: owner,
      roles: new Map([[teamId, role]]),
      keyTeamId: undefined,
      teamId,
    };
  });
}

/** A small story in the export form: a webhook, a transformation of its body, and a trigger. */
export function smallExport(
  overrides: JsonObject = {},
): JsonObject & { agents: JsonObject[]; links: JsonObject[] } {
  return {
    schema_version: 3,
    name: 'Small story',
    description: null,
    guid: 'a'.repeat(32),
    exported_at: '2021-01-01T00:00:00Z',
    agents: [
      agent('Agents::WebhookAgent', '1', { path: 'small', secret: 'open sesame', verbs: 'get,post' }),
      agent('Agents::EventTransformationAgent', '2', {
        mode: 'message_only',
        payload: { a: '{{ .w.body }}' },
      }),
      agent('Agents::TriggerAgent', '3', { rules: [{ type: 'regex', value: 'x', path: '{{ .t.a }}' }] }),
    ],
    diagram_notes: [],
    links: [
      { source: 0, receiver: 1 },
      { source: 1, receiver: 2 },
    ],
    diagram_layout: JSON.stringify({ [guidOf('1')]: [0, 0], [guidOf('2')]: [0, 75], gone: [1, 2] }),
    send_to_story_enabled: false,
    entry_agent_guid: guidOf('1'),
    exit_agent_guids: [guidOf('2'), guidOf('3')],
    exit_agent_guid: null,
    send_to_stories: [],
    form: { name: 'Form', description: '', fields: [], visibility: 'public', agent_guid: guidOf('1') },
    ...overrides,
  };
}

/** An agent in the export form; its guid is the digit thirty-two times. */
export function agent(
  type: string,
  digit: string,
  options: JsonObject,
  overrides: JsonObject = {},
): JsonObject {
  const name = `${type.replace(/^Agents::|Agent$/g, '')} ${digit}`;
  const guid = guidOf(digit);
  return { type, name, disabled: false, guid, options, schedule: null, keep_events_for: 0, ...overrides };
}

export function guidOf(digit: string): string {
  return digit.repeat(32);
}

/** An agent of a test's story: the type without `Agents::` and `Agent`, its options, and other keys. */
export type ShortAgent = [type: string, options: JsonObject, rest?: JsonObject];

/**
 * An export with these agents, by name, and links between them: `a > b > c`, `a > b ! c` (`!` is the no-match
 * branch) or `a # b` (`#` is a failure link). A story with formulas unless `overrides` says otherwise.
 */
export function storyOf(
  agents: Record<string, ShortAgent>,
  links: string[],
  overrides: JsonObject = {},
): JsonObject {
  const names = Object.keys(agents);
  const guids = new Map(names.map((name, index) => [name, guidAt(index)]));
  return {
    schema_version: 30,
    standard_lib_version: 90,
    name: 'Story',
    description: null,
    guid: 'f'.repeat(32),
    exported_at: '2026-01-01T00:00:00Z',
    agents: Object.entries(agents).map(([name, [type, options, rest]]) => ({
      type: `Agents::${type}Agent`,
      name,
      disabled: false,
      guid: guids.get(name) ?? '',
      options,
      ...rest,
    })),
    links: links.flatMap((chain) => linksOf(chain, names)),
    ...guidsIn(overrides, guids),
  };
}

/** The guid of the agent of `storyOf` at this place. */
export function guidAt(index: number): string {
  return String(index + 1).padStart(32, '0');
}

function linksOf(chain: string, names: string[]): JsonObject[] {
  const parts = chain.split(/\s+([>!#])\s+/);
  const links: JsonObject[] = [];
  for (let at = 1; at < parts.length; at += 2) {
    const [source = -1, receiver = -1] = [parts[at - 1], parts[at + 1]].map((name) =>
      names.indexOf(name ?? ''),
    );
    if (source < 0 || receiver < 0) throw new Error(`No such agents: ${chain}`);
    links.push({ source, receiver, ...linkTypeOf(parts[at]) });
  }
  return links;
}

function linkTypeOf(sign: string | undefined): JsonObject {
  if (sign === '!') return { link_type: 'secondary' };
  return sign === '#' ? { link_type: 'failure' } : {};
}

/** Entries and exits may be given by name. */
function guidsIn(overrides: JsonObject, guids: Map<string, string>): JsonObject {
  const named = (value: unknown) => (typeof value === 'string' ? (guids.get(value) ?? value) : value);
  return Object.fromEntries(
    Object.entries(overrides).map(([key, value]) => [
      key,
      (Array.isArray(value) ? value.map(named) : named(value)) as JsonObject[string],
    ]),
  );
}
