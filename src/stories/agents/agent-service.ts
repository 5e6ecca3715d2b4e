import { type Actor, requireTeam, visibleTeamIds } from '../../api/face.js';
import { countAgentWork } from '../activity/story-activity-store.js';
import type { Database } from '../../platform/mysql/database.js';
import type { Window } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import { NotFound, type Problem } from '../../platform/errors.js';
import { type AgentFilter, listAgentIds } from './agent-list-store.js';
import { settingProblems, type TypedSettings } from './agent-problems.js';
import type { AgentDeps, AgentSettings } from './write/agent-settings.js';
import { changeAgent, changeProblems } from './write/change-agent.js';
import { createAgent, type NewAgent } from './write/create-agent.js';
import { removeAgent } from './write/remove-agent.js';
import { eachAgent, viewAgents, type AgentView } from './agent-view.js';
import { type AgentRecord, findAgent, findCopiedAgent } from './agent-store.js';
import { storyOrDraft } from '../drafts/story-or-draft.js';
import type { ActionWarner } from '../check/action-warner.js';
import { createStoryEditor } from '../edit/story-editor.js';
import { type Changed, type Expecting, versionAfter } from '../edit/story-version.js';
import type { StoryChanges } from '../edit/story-changes.js';
import { withRecordSettings } from '../settings/record-settings.js';
import type { StoryRecord } from '../story/story-store.js';

/** An agent, or its copy in a draft of its story. */
interface AgentPlace {
  id: number;
  /** undefined or null: the agent itself. */
  draftId?: number | null | undefined;
  /** Its name in a 404: `Webhook`; absent: `Action`. */
  what?: string | undefined;
}

/** The filters of a list of actions. */
export interface AgentQuery {
  storyId?: number | undefined;
  teamId?: number | undefined;
  type?: string | undefined;
  /** The draft that is meant instead of the story. */
  draftId?: number | null | undefined;
  /** Over several stories: those of drafts instead of live ones. */
  drafts?: boolean | undefined;
  withActivity: boolean;
  /** Part of the name or of the webhook path; with `searchesStories` also of the story's name. */
  search?: string | undefined;
  searchesStories?: boolean | undefined;
  /** Returns the ids of the first 10,000 in another order than that of their stories. */
  rank?: ((ids: readonly number[]) => Promise<readonly number[]>) | undefined;
}

/** What comes later in a list keeps the order of the stories. */
const MOST_RANKED = 10_000;

/** The parts of one action that a request asks for. */
export interface GetOptions extends Pick<AgentPlace, 'draftId' | 'what'> {
  /** Whether the events that wait for it are counted. */
  withPending?: boolean;
}

export interface AgentList {
  /** The agents of the page, read part by part. */
  items: AsyncIterable<AgentView>;
  /** Over all pages, up to 100,000. */
  total: number;
}

export interface AgentServiceDeps extends AgentDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  changes: StoryChanges;
  warner: ActionWarner;
}

export type AgentService = ReturnType<typeof createAgentService>;

/** Agents of stories, with checks of what the actor may see and change (spec §2.2 and §3.5). */
export function createAgentService(deps: AgentServiceDeps) {
  const { database } = deps;
  const editor = createStoryEditor(deps);
  /** Adds what the agent has done lately, outside of any transaction. */
  const show = (actor: Actor, agent: AgentRecord): Promise<AgentView> =>
    database.read(async (session) => {
      const [shown] = await viewAgents(actor, [agent], { withActivity: true }, session);
      return shown ?? { ...agent, activity: undefined };
    });
  /** Adds what in the agent cannot work, for whoever has just written it. */
  const showWritten = async (actor: Actor, agent: AgentRecord): Promise<AgentView> => {
    const { type, name, extra, storyId, inputs } = agent;
    const form = { type, name, options: withRecordSettings(agent, extra), action_inputs: [...inputs] };
    const warnings = await deps.warner.warningsOf(actor, storyId, [form]);
    return { ...(await show(actor, agent)), warnings };
  };
  return {
    /** Returns the agents that the actor may see. @throws NotFound for a story or team that it may not see. */
    async list(actor: Actor, query: AgentQuery, window: Window): Promise<AgentList> {
      const { rank } = query;
      const isRanked = rank !== undefined && window.offset < MOST_RANKED;
      const asked = isRanked ? { offset: 0, limit: MOST_RANKED } : window;
      const end = window.offset + window.limit;
      const beyond = { offset: MOST_RANKED, limit: isRanked ? Math.max(0, end - MOST_RANKED) : 0 };
      const { items, total, rest } = await database.read(async (session) => {
        const filter = await filterOf(actor, query, session);
        const first = await listAgentIds(filter, asked, session);
        const last = beyond.limit === 0 ? undefined : await listAgentIds(filter, beyond, session);
        return { ...first, rest: last?.items ?? [] };
      });
      const page = isRanked ? [...(await rank(items)), ...rest].slice(window.offset, end) : items;
      return { items: eachAgent(actor, page, query, database), total };
    },

    /** With a draft, returns the copy of the action in it; `withPending` counts the events that wait. @throws NotFound */
    async get(
      actor: Actor,
      id: number,
      { draftId, what, withPending = false }: GetOptions = {},
    ): Promise<AgentView> {
      const agent = await database.read((session) =>
        visibleStoryAgent(actor, { id, draftId, what }, 'read', session),
      );
      const shown = await show(actor, agent);
      if (!withPending) return shown;
      const work = await database.read((session) => countAgentWork([agent.id], session));
      return { ...shown, work: work.get(agent.id) };
    },

    /** Returns the faults of options and schedule, if given. @throws NotFound and Forbidden as `update`. */
    check: (
      actor: Actor,
      id: number,
      change: TypedSettings & Pick<AgentSettings, 'is' | 'draftId'>,
    ): Promise<Problem[]> =>
      database.read(async (session) =>
        changeProblems(
          await visibleStoryAgent(actor, { id, draftId: change.draftId }, 'write', session),
          change,
          deps,
        ),
      ),

    /** Returns the faults of options and schedule of a new agent. @throws NotFound and Forbidden as `create`. */
    checkCreate: (
      actor: Actor,
      {
        storyId,
        type,
        draftId,
        ...settings
      }: TypedSettings & AgentSettings['is'] & Pick<AgentSettings, 'draftId'>,
    ): Promise<Problem[]> =>
      database.read(async (session) => {
        if (storyId !== undefined) await storyOrDraft(actor, { storyId, draftId }, 'write', session);
        return type === undefined ? [] : settingProblems(type, settings, deps.agentTypes);
      }),

    /**
     * Adds an action to a story.
     * @throws Unprocessable for options that an import would refuse, links to other stories or into a webhook, and too
     * many actions; Conflict for a webhook path in use; QuotaReached for more schedules than the tenant may have.
     */
    async create(actor: Actor, storyId: number, agent: NewAgent): Promise<AgentView> {
      const { id: homeId } = await database.read((session) =>
        storyOrDraft(actor, { storyId, draftId: agent.draftId }, 'write', session),
      );
      const created = await editor.edit(actor, {
        storyId: homeId,
        part: 'graph',
        async work(story, { session }) {
          const id = await createAgent({ actor, story }, agent, deps, session);
          return visibleStoryAgent(actor, { id }, 'write', session);
        },
      });
      return showWritten(actor, created);
    },

    /**
     * Changes the given fields. `options` replace the old ones, except that a webhook keeps path and secret unless
     * they set them; links that are given replace those of that side.
     * @throws as `create`; PreconditionFailed if the story has another version than `If-Match` names.
     */
    async update(
      actor: Actor,
      { id: given, ifMatch }: Expecting,
      change: AgentSettings,
    ): Promise<AgentView & Changed> {
      const { id, storyId } = await database.read((session) =>
        visibleStoryAgent(actor, { id: given, draftId: change.draftId }, 'write', session),
      );
      const { after, storyVersion } = await editor.edit(actor, {
        storyId,
        ifMatch,
        part: 'graph',
        async work(story, { session, wake }) {
          const before = await visibleStoryAgent(actor, { id }, 'write', session);
          await changeAgent({ actor, before }, change, deps, session);
          const now = await visibleStoryAgent(actor, { id }, 'write', session);
          if (before.disabled && !now.disabled) wake();
          return { after: now, storyVersion: versionAfter(story) };
        },
      });
      return { ...(await showWritten(actor, after)), storyVersion };
    },

    /** Returns the id of the copy that a change in a draft is about; undefined without a draft. @throws as `update` */
    async copyIn(actor: Actor, { id, draftId }: AgentPlace): Promise<number | undefined> {
      if (draftId === undefined || draftId === null) return undefined;
      const copy = await database.read((session) =>
        visibleStoryAgent(actor, { id, draftId }, 'write', session),
      );
      return copy.id;
    },

    /** Removes an action from its story. @throws NotFound and Forbidden; PreconditionFailed. */
    async delete(actor: Actor, { ifMatch, ...place }: AgentPlace & Expecting): Promise<void> {
      const { id, storyId } = await database.read((session) =>
        visibleStoryAgent(actor, place, 'write', session),
      );
      await editor.edit(actor, {
        storyId,
        ifMatch,
        part: 'graph',
        work: async (_story, { session }) =>
          removeAgent(await visibleStoryAgent(actor, { id }, 'write', session), session),
      });
    },
  };
}

async function filterOf(
  actor: Actor,
  { storyId, teamId, type, draftId, drafts, search, searchesStories }: AgentQuery,
  session: Session,
): Promise<AgentFilter> {
  if (teamId !== undefined) requireTeam(actor, teamId, 'read');
  const place = { storyId: storyId ?? draftId ?? undefined, draftId };
  const story = await placeOf(actor, place, session);
  const teamIds = teamId === undefined ? visibleTeamIds(actor) : [teamId];
  return { tenantId: actor.tenantId, teamIds, storyId: story?.id, type, drafts, search, searchesStories };
}

async function placeOf(
  actor: Actor,
  { storyId, draftId }: { storyId: number | undefined; draftId: number | null | undefined },
  session: Session,
): Promise<StoryRecord | undefined> {
  return storyId === undefined ? undefined : storyOrDraft(actor, { storyId, draftId }, 'read', session);
}

/**
 * Returns the agent; with a draft, the agent of the draft that has this id, or that is the copy of the one that has it.
 * In a draft that was imported, the copy is the one that came from the same action of the export.
 * @throws NotFound, or Forbidden if the actor's role is too weak.
 */
async function visibleStoryAgent(
  actor: Actor,
  { id, draftId, what = 'Action' }: AgentPlace,
  need: 'read' | 'write',
  session: Session,
): Promise<AgentRecord> {
  const agent = await findAgent(id, actor.tenantId, session);
  if (agent === undefined) throw new NotFound(what);
  requireTeam(actor, agent.teamId, need, what);
  if (draftId === undefined || draftId === null || draftId === agent.storyId) return agent;
  const draft = await storyOrDraft(actor, { storyId: agent.storyId, draftId }, need, session);
  const copy = await findCopiedAgent(draft.id, agent, session);
  if (copy === undefined) throw new NotFound(what);
  return visibleStoryAgent(actor, { id: copy }, need, session);
}
