import Joi from 'joi';
import {
  type AnyRoute,
  component,
  crudRoutes,
  defineRoute,
  pageKeys,
  type PageQuery,
  placesOf,
  responseSchema,
  RouteResponse,
} from '../../api/face.js';
import { nameField } from '../../people/face.js';
import { type Problem, Unprocessable } from '../../platform/errors.js';
import { idField, idParams, type IdParams } from '../../platform/http/address/path-id.js';
import { isFaulty } from '../../platform/validation/partial-input.js';
import { firstProblems } from '../../platform/validation/validate.js';
import { etagOf } from '../edit/story-version.js';
import { graphBody, type GraphRequest, readGraph, type ReadGraph } from '../graph/graph-body.js';
import { LIMITS } from '../import/import-limits.js';
import type { Side } from '../merge/three-way.js';
import {
  languageField,
  presentStep,
  presentStepContent,
  presentStepUse,
  presentStepVersion,
  presentStoryUpdate,
  stepContentSchema,
  stepExample,
  stepSchema,
  stepUseExample,
  stepUseSchema,
  stepVersionExample,
  stepVersionSchema,
  storyUpdateExample,
  storyUpdateSchema,
} from './step-presenter.js';
import type { StepService } from './step-service.js';
import type { StepRecord, StepVersionRecord } from './step-store.js';
import type { StepUpdater } from './updates/step-updater.js';
import type { StepUseRecord, StepUseService } from './uses/step-use-service.js';

interface Services {
  steps: StepService;
  stepUses: StepUseService;
  stepUpdates: StepUpdater;
}

interface NamesBody {
  name?: string;
  description?: string;
}

interface ContentBody {
  reason: string;
  content: ReadGraph;
}

interface StepBody extends ContentBody {
  name: string;
  description: string;
  team_id: number | null;
  language: 'liquid' | 'formula';
}

interface ListQuery extends PageQuery {
  search?: string;
  team_id?: number;
  guids?: string[];
}

interface VersionParams {
  id: number;
  number: number;
}

interface UpdatesBody {
  stories: { id: number; resolve: { entry: string; take: 'story' | 'step' }[] }[];
  version?: number | null;
  into_drafts: boolean;
}

const PATH = '/api/v1/steps';
const ITEM = { path: `${PATH}/:id`, params: idParams, example: { id: stepExample.id } };
const TAG = 'Steps';
/** Keys of the response that clients send back. */
const ECHOED =
  'id guid team_id user_id language version actions action_types stories stories_behind created_at updated_at'.split(
    ' ',
  );
/** Stories of one request. */
const MOST_STORIES = 50;
const MOST_CHOICES = 500;
const MOST_REASON = 500;

const description = Joi.string().max(10_000).allow('');
const reason = Joi.string().trim().max(MOST_REASON).allow('').description('Why, for those who use the step');
const content = graphBody
  .required()
  .description(
    '1 to 200 actions, with links and notes, as in a graph of a story. Addresses and secrets of webhooks are left out. At most 1 MiB as JSON',
  );
const newKeys = {
  name: nameField.required(),
  description: description.default(''),
  team_id: idField
    .allow(null)
    .required()
    .description(
      'The team whose stories may use it; null for all of the tenant, which only Owners may choose',
    ),
  language: languageField
    .default('formula')
    .description('Language of its templates. Stories in the other one are not brought up to date'),
  reason: reason.default(''),
};
const versionKeys = { reason: reason.default('') };

/** The schema that documents a body, and the one that checks all but its content. */
const bodies = (keys: object) => ({
  body: Joi.object({ ...keys, content: Joi.any().required() }).required(),
  documented: Joi.object({ ...keys, content }),
});
const stepBody = bodies(newKeys);
const versionBody = bodies(versionKeys);

/** Reads the content of a step too. Pure, for a thread if it is large. */
function readBody(body: unknown): ContentBody {
  const given = body as ContentBody & { content?: unknown };
  // A body without content is a fault already; it is read all the same.
  return { ...given, content: readGraph(given.content ?? {}) };
}

function contentProblems(read: ReadGraph | undefined): Problem[] {
  return (read?.problems ?? []).map(({ message, details, ...rest }) => ({
    ...rest,
    message,
    details: details === undefined ? 'content' : `content.${details}`,
  }));
}

/** @throws Unprocessable naming every fault of the content. */
function requestIn({ content: read }: ContentBody): GraphRequest {
  if (read.request === undefined) throw new Unprocessable(firstProblems(contentProblems(read)));
  return read.request;
}

const exampleContent = {
  agents: [
    {
      type: 'Agents::HTTPRequestAgent',
      name: 'Look up a host',
      options: { url: 'https://assets.example.com/hosts/{{ .host }}', method: 'get' },
      position: { x: 0, y: 0 },
    },
  ],
  links: [],
};
const exampleStored = {
  ...exampleContent,
  agents: exampleContent.agents.map((agent) => ({
    ...agent,
    guid: stepUseExample.actions[0]?.action,
    fabula_step: { guid: stepExample.guid, version: 2, action: stepUseExample.actions[0]?.action },
  })),
  notes: [],
};

const tagged = (step: StepRecord) =>
  new RouteResponse(presentStep(step), { headers: { ETag: etagOf(step.version) } });

const routes = crudRoutes<Services, StepRecord>({
  tag: TAG,
  ...placesOf(PATH, stepExample.id),
  response: stepSchema,
  example: stepExample,
  present: presentStep,
});

const versionRoutes = crudRoutes<Services, StepVersionRecord, IdParams>({
  tag: TAG,
  list: { path: `${ITEM.path}/versions`, params: idParams, example: ITEM.example },
  item: ITEM,
  response: stepVersionSchema,
  example: stepVersionExample,
  present: presentStepVersion,
});

const useRoutes = crudRoutes<Services, StepUseRecord, IdParams>({
  tag: TAG,
  list: { path: `${ITEM.path}/uses`, params: idParams, example: ITEM.example },
  item: ITEM,
  response: stepUseSchema,
  example: stepUseExample,
  present: presentStepUse,
});

const updateResponse = component(
  'StepUpdates',
  responseSchema({
    updates: Joi.array().items(storyUpdateSchema).description('One for each story, in order'),
  }),
);

const updatesBody = Joi.object<UpdatesBody>({
  stories: Joi.array()
    .items(
      Joi.object({
        id: idField.required().description('The story, or a draft of one'),
        resolve: Joi.array()
          .items(
            Joi.object({
              entry: Joi.string().max(2_000).required().description('`entry` of a conflict'),
              take: Joi.string().valid('story', 'step').required().description('The side to keep'),
            }),
          )
          .max(MOST_CHOICES)
          .default([])
          .description('How to resolve its conflicts'),
      }),
    )
    .unique('id')
    .min(1)
    .max(MOST_STORIES)
    .required()
    .description('The stories, at most 50'),
  version: Joi.number()
    .integer()
    .min(1)
    .allow(null)
    .description('The version that they get; the newest if absent or null'),
  into_drafts: Joi.boolean()
    .default(false)
    .description(
      'Puts the changes into a new draft of each story; one under change control always gets a draft',
    ),
});

/** The merge calls its sides by what they are for drafts. */
const SIDES: Record<'story' | 'step', Side> = { story: 'live', step: 'draft' };

/** Endpoints of steps: parts of stories that are kept to be used again (spec §3.21). */
export const stepRoutes: AnyRoute<Services>[] = [
  routes.list<ListQuery>({
    summary: 'List steps',
    description: 'Steps of your teams and of the tenant, by name.',
    plural: 'steps',
    query: Joi.object<ListQuery>({
      ...pageKeys,
      search: Joi.string().max(255).description('Part of the name'),
      team_id: idField.description('Steps that stories of this team may use: its own and the tenant’s'),
      guids: Joi.array()
        .items(Joi.string().hex().length(32))
        .single()
        .max(200)
        .description('Steps with these guids'),
    }),
    handle: ({ actor, query, window }, { steps }) =>
      steps.list(actor, { search: query.search, teamId: query.team_id, guids: query.guids }, window),
  }),

  defineRoute<unknown, unknown, StepBody, Services>({
    method: 'post',
    path: PATH,
    summary: 'Create a step',
    status: 201,
    body: stepBody.body,
    maxValues: LIMITS.values,
    prepare: readBody as (body: unknown) => StepBody,
    audit: 'step.create',
    docs: {
      tag: TAG,
      description:
        'Keeps a part of a story to be used again, as version 1. A tenant can have 1,000 steps. Actions get their mark `fabula_step` in a story, when the story is written with it.',
      body: stepBody.documented,
      response: stepSchema,
      example: {
        body: { name: stepExample.name, team_id: 2, content: exampleContent },
        response: { ...stepExample, version: 1, stories: 0, stories_behind: 0 },
      },
      errors: [400, 403, 404, 409, 413, 415, 422],
    },
    check({ actor, body }, { steps }) {
      if (!isFaulty(body, 'team_id') && body.team_id !== undefined) steps.checkHome(actor, body.team_id);
      return contentProblems(body.content as ReadGraph | undefined);
    },
    handle: async ({ actor, body }, { steps }) =>
      tagged(
        await steps.create(actor, {
          name: body.name,
          description: body.description,
          teamId: body.team_id,
          language: body.language,
          reason: body.reason,
          content: requestIn(body),
        }),
      ),
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: ITEM.path,
    summary: 'Get a step',
    params: idParams,
    docs: {
      tag: TAG,
      description: 'Its content is that of a version.',
      response: stepSchema,
      example: { params: ITEM.example, response: stepExample },
      errors: [404],
    },
    handle: async ({ actor, params }, { steps }) => tagged(await steps.get(actor, params.id)),
  }),

  ...routes.update<NamesBody>({
    summary: 'Update a step',
    description: 'Changes name and description. Stories are unchanged.',
    body: Joi.object({ name: nameField, description }),
    exampleBody: { name: stepExample.name },
    errors: [400, 403, 404, 415, 422],
    ignored: ECHOED,
    audit: 'step.update',
    check: ({ actor, params }, { steps }) => steps.check(actor, params.id),
    handle: ({ actor, params, body }, { steps }) => steps.update(actor, params.id, body),
  }),

  routes.delete({
    summary: 'Delete a step',
    description: 'With its versions. What stories have of it stays.',
    audit: 'step.delete',
    handle: ({ actor, params }, { steps }) => steps.delete(actor, params.id),
  }),

  versionRoutes.list({
    summary: 'List the versions of a step',
    description: 'From the newest to the oldest that is kept, at most 100.',
    plural: 'step_versions',
    handle: ({ actor, params, window }, { steps }) => steps.versions(actor, params.id, window),
  }),

  defineRoute<VersionParams, unknown, unknown, Services>({
    method: 'get',
    path: `${ITEM.path}/versions/:number`,
    summary: 'Get a version of a step',
    params: Joi.object<VersionParams>({
      id: idField.required(),
      number: idField.required().description('Number of the version'),
    }),
    docs: {
      tag: TAG,
      description: 'With its content, whose actions, links and notes can be added to a graph of a story.',
      response: stepContentSchema,
      example: {
        params: { id: 6, number: 2 },
        response: { ...stepVersionExample, content: exampleStored },
      },
      errors: [404],
    },
    handle: async ({ actor, params }, { steps }) =>
      presentStepContent(await steps.version(actor, params.id, params.number)),
  }),

  defineRoute<IdParams, unknown, ContentBody, Services>({
    method: 'post',
    path: `${ITEM.path}/versions`,
    summary: 'Create a version of a step',
    status: 201,
    params: idParams,
    body: versionBody.body,
    maxValues: LIMITS.values,
    prepare: readBody,
    honoursIfMatch: true,
    audit: 'step.version',
    docs: {
      tag: TAG,
      description:
        'Stories keep the version that they have until they are updated. Actions with the mark `fabula_step` of the step are the same actions as before; others are new ones. With `If-Match: "<version>"` the response is 412 if there is a newer one.',
      body: versionBody.documented,
      response: stepSchema,
      example: {
        params: ITEM.example,
        body: { reason: stepVersionExample.reason, content: exampleContent },
        response: stepExample,
      },
      errors: [400, 403, 404, 412, 413, 415, 422],
    },
    async check({ actor, params, body }, { steps }) {
      await steps.check(actor, params.id);
      return contentProblems(body.content as ReadGraph | undefined);
    },
    handle: async ({ actor, params, body, request }, { steps }) =>
      tagged(
        await steps.addVersion(actor, params.id, {
          ifMatch: request.ifMatch,
          reason: body.reason,
          content: requestIn(body),
        }),
      ),
  }),

  useRoutes.list({
    summary: 'List the stories that use a step',
    description:
      'Live stories that you may see, by name, with the version that they have and whether they have changed it. Drafts are not listed.',
    plural: 'step_uses',
    handle: ({ actor, params, window }, { stepUses }) => stepUses.list(actor, params.id, window),
  }),

  updatesRoute({
    path: `${ITEM.path}/updates/preview`,
    summary: 'Preview the update of stories to a version of a step',
    operationId: 'previewStepUpdates',
    description:
      'Returns what `POST …/updates` would do with the same body, and writes nothing: `differences` of each story, what it has changed itself, and conflicts.',
    isDry: true,
  }),

  updatesRoute({
    path: `${ITEM.path}/updates`,
    summary: 'Update stories to a version of a step',
    operationId: 'updateStoriesFromStep',
    description:
      'Merges what the step and the story have changed since the story took the step: names, places and webhook URLs of its actions stay. A story with open conflicts is unchanged; the others are updated all the same, each as a whole.',
    isDry: false,
  }),
];

interface UpdatesRoute {
  path: string;
  summary: string;
  operationId: string;
  description: string;
  /** Nothing is written. */
  isDry: boolean;
}

function updatesRoute({ path, summary, isDry, ...docs }: UpdatesRoute): AnyRoute<Services> {
  return defineRoute<IdParams, unknown, UpdatesBody, Services>({
    method: 'post',
    path,
    summary,
    params: idParams,
    body: updatesBody,
    audit: isDry ? 'step.preview' : 'step.apply',
    docs: {
      ...docs,
      tag: TAG,
      response: updateResponse,
      example: {
        params: ITEM.example,
        body: { stories: [{ id: 12 }] },
        response: { updates: [{ ...storyUpdateExample, status: isDry ? 'ready' : 'updated' }] },
      },
      errors: [400, 403, 404, 415, 422],
    },
    check: ({ actor, params, body }, { stepUpdates }) =>
      stepUpdates.check(
        actor,
        params.id,
        (body.stories ?? []).flatMap((story) => story?.id ?? []),
      ),
    async handle({ actor, params, body }, { stepUpdates }) {
      const updates = await stepUpdates.update(actor, params.id, {
        stories: body.stories.map(({ id, resolve }) => ({
          id,
          choices: resolve.map(({ entry, take }) => [entry, SIDES[take]] as const),
        })),
        version: body.version ?? undefined,
        intoDrafts: body.into_drafts,
        isDry,
      });
      return { updates: updates.map(presentStoryUpdate) };
    },
  });
}
