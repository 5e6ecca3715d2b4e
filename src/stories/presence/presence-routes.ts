import Joi from 'joi';
import { type AnyRoute, component, defineRoute, idSchema, responseSchema } from '../../api/face.js';
import { idParams, type IdParams } from '../../platform/http/address/path-id.js';
import type { PresenceService } from './presence-service.js';

interface Services {
  presence: PresenceService;
}

interface PresenceBody {
  action_guid: string | null;
}

const PATH = '/api/v1/stories/:id/presence';
const TAG = 'Editors';

const body = Joi.object<PresenceBody>({
  action_guid: Joi.string()
    .max(255)
    .allow(null)
    .default(null)
    .description('The guid of the chosen action; null if it is none, or several'),
});

const presenceSchema = component(
  'StoryPresence',
  responseSchema({
    people: Joi.array()
      .items(
        responseSchema({
          name: Joi.string().description('Name of the person'),
          draft_id: idSchema.allow(null).description('The draft that is open; null for the live story'),
          action_guid: Joi.string().allow(null).description('The guid of the chosen action, or null'),
        }),
      )
      .description('The others, by name'),
  }),
);

const example = {
  people: [{ name: 'Ana Flores', draft_id: null, action_guid: 'c0ffee00c0ffee00c0ffee00c0ffee00' }],
};

/** Endpoints that tell who else has a story open (spec §3.18). None is in the audit log. */
export const presenceRoutes: readonly AnyRoute<Services>[] = [
  defineRoute<IdParams, unknown, PresenceBody, Services>({
    method: 'put',
    path: PATH,
    summary: 'Note that a story is open in an editor',
    params: idParams,
    body,
    docs: {
      tag: TAG,
      operationId: 'enterStory',
      description:
        'Holds for 45 seconds; an editor repeats it every 20 seconds. Returns the other people who have the story or a draft of it open, up to 50. `id` may be that of a draft. Nothing is stored in the database. With Redis away the response is 503.',
      response: presenceSchema,
      example: {
        params: { id: 12 },
        body: { action_guid: 'c0ffee00c0ffee00c0ffee00c0ffee00' },
        response: example,
      },
      errors: [400, 404, 413, 415, 422],
    },
    async check({ actor, params }, { presence }) {
      await presence.requireVisible(actor, params.id);
    },
    async handle({ actor, params, body: { action_guid: guid } }, { presence }) {
      const people = await presence.enter(actor, params.id, guid);
      return {
        people: people.map(({ name, draftId, actionGuid }) => ({
          name,
          draft_id: draftId,
          action_guid: actionGuid,
        })),
      };
    },
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'delete',
    path: PATH,
    summary: 'Note that a story is no longer open in an editor',
    status: 204,
    params: idParams,
    docs: {
      tag: TAG,
      operationId: 'leaveStory',
      description: 'For an editor that closes. Without it, the person is gone after 45 seconds.',
      example: { params: { id: 12 } },
      errors: [404],
    },
    handle: ({ actor, params }, { presence }) => presence.leave(actor, params.id),
  }),
];
