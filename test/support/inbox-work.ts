import { type Account, buildAccount } from './builders.js';
import { eventually } from './eventually.js';
import type { ManageApi, Parsed } from './manage-api.js';
import { says } from './run-api.js';
import { type ShortAgent, storyOf } from './stories.js';
import type { TestStores } from './stores.js';

/** Counts and entries are shared for some seconds. */
export const LONG_MS = 60_000;

/** Deliveries as a worker leaves them. */
export interface Work {
  storyId: number;
  agentId: number;
  queue?: string;
  state: string;
  reason?: string | null;
  attempts?: number;
  error?: string | null;
  /** Minutes since it was made, and until it is due. */
  ageMinutes?: number;
  dueMinutes?: number;
}

/** Has `count` such deliveries. */
export async function deliver(stores: TestStores, work: Work, count = 1): Promise<void> {
  const { storyId, agentId, queue = 'email', state, reason = null, attempts = 0, error = null } = work;
  await stores.sql(
    `INSERT INTO deliveries (story_run_guid, story_id, agent_id, event_id, queue, depth, state, attempts, error, wait_reason,
                             created_at, due_at, failed_at)
     SELECT UUID(), ?, ?, 1, ?, 1, ?, ?, ?, ?, NOW(3) - INTERVAL ? MINUTE, NOW(3) + INTERVAL ? MINUTE,
            IF(? = 'failed', NOW(3), NULL)
     FROM JSON_TABLE(?, '$[*]' COLUMNS (n INT PATH '$')) v`,
    [
      storyId,
      agentId,
      queue,
      state,
      attempts,
      error,
      reason,
      work.ageMinutes ?? 1,
      work.dueMinutes ?? 0,
      state,
      JSON.stringify(Array.from({ length: count }, (_, n) => n)),
    ],
  );
}

/** Imports a story of these actions. Returns its id. */
export async function importWork(
  api: ManageApi,
  { key, team }: Account,
  agents: Record<string, ShortAgent>,
  links: string[] = [],
): Promise<number> {
  const body = { new_name: 'Alerts', data: storyOf(agents, links), team_id: team.id };
  return (await api.call(key, 'POST /api/v1/stories/import', body)).body.id;
}

/** Returns the first action of a story. */
export async function actionOf(api: ManageApi, key: string, storyId: number): Promise<number> {
  return (await api.call(key, `GET /api/v1/stories/${storyId}/agents`)).body.agents[0].id;
}

/** Has an account with a story of one action. */
export async function buildScene(
  stores: TestStores,
  api: ManageApi,
  overrides: Parameters<typeof buildAccount>[1] = {},
): Promise<Account & { storyId: number; agentId: number }> {
  const account = await buildAccount(stores.db, overrides);
  const storyId = await importWork(api, account, { Say: says({ text: 'a' }) });
  return { ...account, storyId, agentId: await actionOf(api, account.key, storyId) };
}

/** Returns the inbox of a key. */
export const inboxOf = async (api: ManageApi, key: string, query = ''): Promise<Parsed> =>
  (await api.call(key, `GET /api/v1/inbox${query}`)).body;

/** Returns the entry with this key. */
export const entryIn = (inbox: Parsed, key: string): Parsed =>
  inbox.entries.find((entry: Parsed) => entry.key === key);

/** Returns the inbox once this holds of it. */
export const inboxOnce = (
  api: ManageApi,
  key: string,
  isSo: (inbox: Parsed) => boolean,
  query = '',
): Promise<Parsed> =>
  eventually(async () => {
    const inbox = await inboxOf(api, key, query);
    return isSo(inbox) && inbox;
  }, LONG_MS);
