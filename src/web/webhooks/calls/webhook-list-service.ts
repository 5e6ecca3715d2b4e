import { type Actor, canWrite } from '../../../api/face.js';
import { messageOf, NotFound } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { Page, Window } from '../../../platform/mysql/statements/page-query.js';
import { hideInText } from '../../../platform/secrets/hidden-secrets.js';
import { type AgentQuery, type AgentService, type AgentView, WEBHOOK_TYPE } from '../../../stories/face.js';
import type { CallLog, KnownCalls } from './call-log.js';
import { type WebhookStory, findCalledStories } from './called-story-store.js';

/** A webhook with what is known of its calls. */
export interface WebhookView {
  agent: AgentView;
  story: WebhookStory;
  /** Whether the actor may see the secret. */
  showsSecret: boolean;
  /** undefined: Redis, which keeps the calls, did not respond. */
  calls: KnownCalls | undefined;
}

/** The orders of a list: by story, the last call first, or the most refused calls first. */
export const WEBHOOK_ORDERS = ['STORY', 'LAST_CALL', 'REFUSED'] as const;
export type WebhookOrder = (typeof WEBHOOK_ORDERS)[number];

/** The refused calls of so many webhooks are counted, of those that were called last. */
const MOST_COUNTED = 1_000;

export interface WebhookListDeps {
  database: Pick<Database, 'read'>;
  agents: Pick<AgentService, 'list' | 'get'>;
  log: Pick<CallLog, 'read' | 'called' | 'countRefused'>;
  logger: Logger;
}

export type WebhookListService = ReturnType<typeof createWebhookListService>;

/** Webhooks and their last calls, with checks of what the actor may see. */
export function createWebhookListService({ database, agents, log, logger }: WebhookListDeps) {
  const readCalls = (ids: number[]): Promise<Map<number, KnownCalls>> =>
    log.read(ids).catch((error: unknown) => {
      logger.info('could not read webhook calls', { error: messageOf(error) });
      return new Map();
    });
  /** Returns the ids in an order of their calls; those that were not called stay behind. */
  const rank = async (ids: readonly number[], order: 'LAST_CALL' | 'REFUSED'): Promise<readonly number[]> => {
    const asked = new Set(ids);
    const called = (await log.called()).filter((id) => asked.has(id));
    const wereCalled = new Set(called);
    const rest = ids.filter((id) => !wereCalled.has(id));
    if (order === 'LAST_CALL') return [...called, ...rest];
    const newest = called.slice(0, MOST_COUNTED);
    const refused = await log.countRefused(newest);
    const count = (id: number) => refused.get(id) ?? 0;
    return [...newest.toSorted((a, b) => count(b) - count(a)), ...called.slice(MOST_COUNTED), ...rest];
  };
  const rankIfKnown = (ids: readonly number[], order: 'LAST_CALL' | 'REFUSED') =>
    rank(ids, order).catch((error: unknown) => {
      logger.info('could not order webhooks by their calls', { error: messageOf(error) });
      return ids;
    });
  const show = async (actor: Actor, webhooks: AgentView[]): Promise<WebhookView[]> => {
    if (webhooks.length === 0) return [];
    const storyIds = [...new Set(webhooks.map(({ storyId }) => storyId))];
    const [stories, calls] = await Promise.all([
      database.read((session) => findCalledStories(session, storyIds)),
      readCalls(webhooks.map(({ id }) => id)),
    ]);
    return webhooks.flatMap((agent) => {
      const story = stories.get(agent.storyId);
      if (story === undefined) return [];
      const showsSecret = canWrite(actor, agent.teamId);
      const known = calls.get(agent.id);
      return [{ agent, story, showsSecret, calls: showsSecret ? known : withoutAddresses(known) }];
    });
  };
  return {
    /** Returns the webhooks that the actor may see. @throws NotFound for a story or team that it may not see. */
    async list(
      actor: Actor,
      {
        order,
        ...query
      }: Pick<AgentQuery, 'storyId' | 'teamId' | 'draftId' | 'drafts' | 'search'> & { order: WebhookOrder },
      window: Window,
    ): Promise<Page<WebhookView>> {
      const asked = {
        ...query,
        type: WEBHOOK_TYPE,
        searchesStories: true,
        withActivity: false,
        ...(order !== 'STORY' && { rank: (ids: readonly number[]) => rankIfKnown(ids, order) }),
      };
      const { items, total } = await agents.list(actor, asked, window);
      const webhooks: AgentView[] = [];
      for await (const agent of items) webhooks.push(withoutBulk(agent));
      return { items: await show(actor, webhooks), total };
    },

    /** Returns one webhook, by the id of its action. @throws NotFound also for an action of another type. */
    async get(actor: Actor, id: number): Promise<WebhookView> {
      const agent = await agents.get(actor, id, { what: 'Webhook' });
      if (agent.type !== WEBHOOK_TYPE) throw new NotFound('Webhook');
      const [webhook] = await show(actor, [agent]);
      if (webhook === undefined) throw new NotFound('Webhook');
      return webhook;
    },
  };
}

/** A page of large webhooks would take much memory: only the address is needed of each. */
function withoutBulk(agent: AgentView): AgentView {
  const { path, secret, verbs } = agent.options;
  const options = { ...(path !== undefined && { path }), ...(secret !== undefined && { secret }) };
  return { ...agent, extra: {}, options: { ...options, ...(verbs !== undefined && { verbs }) } };
}

/** A message may repeat what the client sent. */
function withoutAddresses(calls: KnownCalls | undefined): KnownCalls | undefined {
  if (calls === undefined) return undefined;
  const refused = calls.refused.map((call) => ({ ...call, message: hideInText(call.message) }));
  return { ...calls, refused };
}
