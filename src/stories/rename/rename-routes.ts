import { type AnyRoute, defineRoute, type RouteDefinition } from '../../api/face.js';
import { type Problem, Unprocessable } from '../../platform/errors.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import { exceedsDepth, LIMITS } from '../import/import-limits.js';
import {
  type RenameBody,
  renameBody,
  type RenamesBody,
  renamesBody,
  renamesPreviewSchema,
  renamePreviewSchema,
} from './rename-schemas.js';
import type { RenameService } from './rename-service.js';

interface Services {
  renames: RenameService;
}

/** The body, with the document as the text that a thread searches; or why there is none. */
interface ReadRename {
  storyId: number | undefined;
  order: string;
  problems: Problem[];
}

const exampleBody = {
  story_id: 12,
  agents: [
    { type: 'Agents::WebhookAgent', name: 'Ask', guid: 'c0ffee00c0ffee00c0ffee00c0ffee00', options: {} },
    {
      type: 'Agents::EventTransformationAgent',
      name: 'Pick the host',
      guid: '9b7c1d2e3f405162738495a6b7c8d9e0',
      options: { mode: 'message_only', payload: { host: '<<ask.body.host>>' } },
    },
  ],
  links: [{ source: 0, receiver: 1 }],
  notes: [],
  guid: 'c0ffee00c0ffee00c0ffee00c0ffee00',
  name: 'Ask again',
};

const { guid: _guid, name: newName, ...exampleDocument } = exampleBody;
const severalBody = { ...exampleDocument, renames: [{ index: 0, name: newName }] };

const example = {
  slug: { before: 'ask', after: 'ask_again' },
  count: 2,
  places: [
    {
      part: 'action',
      index: 0,
      guid: 'c0ffee00c0ffee00c0ffee00c0ffee00',
      name: 'Ask',
      path: 'name',
      keys: ['name'],
      line: 1,
      column: 1,
      before: 'Ask',
      after: 'Ask again',
    },
    {
      part: 'action',
      index: 1,
      guid: '9b7c1d2e3f405162738495a6b7c8d9e0',
      name: 'Pick the host',
      path: 'options.payload.host',
      keys: ['options', 'payload', 'host'],
      line: 1,
      column: 3,
      before: '<<ask.body.host>>',
      after: '<<ask_again.body.host>>',
    },
  ],
  agents: [
    { index: 0, guid: 'c0ffee00c0ffee00c0ffee00c0ffee00', name: 'Ask again', options: {} },
    {
      index: 1,
      guid: '9b7c1d2e3f405162738495a6b7c8d9e0',
      name: 'Pick the host',
      options: { mode: 'message_only', payload: { host: '<<ask_again.body.host>>' } },
    },
  ],
  notes: [],
  shared: [],
  unsure: [],
};

const previewing: Pick<RouteDefinition<unknown, unknown, ReadRename, Services>, 'check' | 'handle'> = {
  check: async ({ actor, body }, { renames }) => {
    const { storyId, problems } = body as ReadRename;
    await renames.requireWritable(actor, storyId);
    return problems;
  },
  handle: ({ actor, body: { storyId = 0, order, problems } }, { renames }) => {
    if (problems.length > 0) throw new Unprocessable(problems);
    return renames.preview(actor, storyId, order);
  },
};

/** Endpoints that say what renames of actions change (spec §3.18). */
export const renameRoutes: readonly AnyRoute<Services>[] = [
  defineRoute<unknown, unknown, ReadRename, Services>({
    method: 'post',
    path: '/api/v1/stories/rename_preview',
    summary: 'Preview the rename of an action',
    body: renameBody,
    maxValues: LIMITS.values,
    prepare: readRename,
    audit: 'story.rename_preview',
    docs: {
      tag: 'Editors',
      operationId: 'renamePreview',
      description:
        'Renames an action of a document under edit, with each reference to it in templates and notes. Nothing is stored: the response has the parts that change.',
      body: renameBody,
      response: renamePreviewSchema,
      example: { body: exampleBody, response: example },
      errors: [400, 403, 404, 413, 415, 422],
    },
    ...previewing,
  }),

  defineRoute<unknown, unknown, ReadRename, Services>({
    method: 'post',
    path: '/api/v1/stories/renames_preview',
    summary: 'Preview the rename of several actions',
    body: renamesBody,
    maxValues: LIMITS.values,
    prepare: readRenames,
    audit: 'story.rename_preview',
    docs: {
      tag: 'Editors',
      operationId: 'renamesPreview',
      description:
        'Renames actions of a document under edit, or of a part of one, with each reference to them in its templates and notes. Nothing is stored: the response has the parts that change.',
      body: renamesBody,
      response: renamesPreviewSchema,
      example: { body: severalBody, response: { count: 2, agents: example.agents, notes: [] } },
      errors: [400, 403, 404, 413, 415, 422],
    },
    ...previewing,
  }),
];

/** Pure, for a thread if it is large. */
function readRename(body: unknown): ReadRename {
  const given = body as Usable<RenameBody>;
  const { story_id: storyId, agents = [], links = [], notes, guid, name = '' } = given;
  if (exceedsDepth(body, LIMITS.depth)) return tooDeep(storyId);
  const index = given.index ?? agents.findIndex((agent) => agent?.guid === guid);
  const order = { agents, links, notes: notes ?? [], index, name };
  const problems = given.agents === undefined ? [] : placeProblems(given, index);
  return { storyId, order: stringifyJson(order), problems };
}

/** The same for several renames. */
function readRenames(body: unknown): ReadRename {
  const given = body as Usable<RenamesBody>;
  const { story_id: storyId, agents = [], links = [], notes, renames = [] } = given;
  if (exceedsDepth(body, LIMITS.depth)) return tooDeep(storyId);
  const unknown = renames.flatMap((rename, at) =>
    agents[rename?.index ?? 0] === undefined
      ? [{ message: 'No action of `agents` has it', details: `renames[${at}].index` }]
      : [],
  );
  const problems = given.agents === undefined ? [] : [...unknown, ...endProblems(links, agents.length)];
  return { storyId, order: stringifyJson({ agents, links, notes: notes ?? [], renames }), problems };
}

function tooDeep(storyId: number | undefined): ReadRename {
  const message = `The body is nested deeper than ${LIMITS.depth} levels`;
  return { storyId, order: '', problems: [{ message }] };
}

/** Returns the faults of what names an action of the document by its place. */
function placeProblems(given: Usable<RenameBody>, index: number): Problem[] {
  const { agents = [], links = [], guid } = given;
  const isNamed = given.index !== undefined || guid !== undefined;
  const unknown = { message: 'No action of `agents` has it', details: guid === undefined ? 'index' : 'guid' };
  const ends = endProblems(links, agents.length);
  return isNamed && agents[index] === undefined ? [unknown, ...ends] : ends;
}

function endProblems(links: NonNullable<Usable<RenameBody>['links']>, count: number): Problem[] {
  return links.flatMap((link, at) =>
    (['source', 'receiver'] as const)
      .filter((end) => (link?.[end] ?? 0) >= count)
      .map((end) => ({ message: 'There is no action at this position', details: `links[${at}].${end}` })),
  );
}
