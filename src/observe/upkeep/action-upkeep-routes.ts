import Joi from 'joi';
import { type IdParams, idParams } from '../../platform/http/address/path-id.js';
import { type AnyRoute, defineRoute } from '../../api/face.js';
import { agentResponse, type AgentService, liveAgentExample, presentAgent } from '../../stories/face.js';
import type { ActionUpkeepService } from './action-upkeep-service.js';

interface Services {
  agents: Pick<AgentService, 'get'>;
  actionUpkeep: ActionUpkeepService;
}

interface RemoveEventsBody {
  async_deletion: boolean;
}

const removeEventsBody = Joi.object<RemoveEventsBody>({
  async_deletion: Joi.boolean()
    .default(false)
    .description('true to respond immediately and remove the events within minutes'),
});

/** The documentation that these routes share: they answer with the action. */
const common = {
  method: 'delete',
  params: idParams,
} as const;
const docs = {
  tag: 'Agents',
  response: agentResponse,
  example: { params: { id: liveAgentExample.id }, response: liveAgentExample },
  errors: [403, 404, 422],
};

/** Endpoints that remove what an action has left behind, under both names in paths (spec §5.8 and §5.9). */
export const actionUpkeepRoutes: AnyRoute<Services>[] = (['actions', 'agents'] as const).flatMap((word) => [
  defineRoute<IdParams, unknown, RemoveEventsBody, Services>({
    ...common,
    path: `/api/v1/${word}/:id/remove_events`,
    summary: `Remove the events of one of the ${word}`,
    body: removeEventsBody,
    audit: 'agent.remove_events',
    docs: {
      ...docs,
      description:
        'Removes the events it has emitted so far. Events are kept while their run has open work, dead letters or open prompts; retention removes them later. Responds when the others are removed, or after 15 seconds; the rest is then removed within minutes.',
    },
    check: ({ actor, params }, { actionUpkeep }) => actionUpkeep.requireWrite(actor, params.id),
    async handle({ actor, params, body }, { agents, actionUpkeep }) {
      await actionUpkeep.removeEvents(actor, params.id, { waits: !body.async_deletion });
      return presentAgent(await agents.get(actor, params.id));
    },
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    ...common,
    path: `/api/v1/${word}/:id/remove_logs`,
    // Clients send it as with remove_events; the log goes in the same way with either value.
    ignored: ['async_deletion'],
    summary: `Remove the log of one of the ${word}`,
    audit: 'agent.remove_logs',
    docs: {
      ...docs,
      description:
        'Removes the lines written so far. Responds when they are removed, or after 15 seconds; the rest is then removed within minutes.',
    },
    async handle({ actor, params }, { agents, actionUpkeep }) {
      await actionUpkeep.removeLogs(actor, params.id);
      return presentAgent(await agents.get(actor, params.id));
    },
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    ...common,
    path: `/api/v1/${word}/:id/clear_memory`,
    summary: `Clear the state of one of the ${word}`,
    audit: 'agent.clear_memory',
    docs: {
      ...docs,
      description:
        'Clears the values it has seen (`deduplicate`) and its last interval (`throttle`). Events that already wait for an interval or for their group (`implode`) keep waiting.',
    },
    async handle({ actor, params }, { agents, actionUpkeep }) {
      await actionUpkeep.clearMemory(actor, params.id);
      return presentAgent(await agents.get(actor, params.id));
    },
  }),
]);
