import Joi from 'joi';
import {
  type AnyRoute,
  component,
  crudRoutes,
  defineRoute,
  exampleMeta,
  idSchema,
  ListResponse,
  listSchema,
  pageKeys,
  pageMeta,
  type PageQuery,
  placesOf,
  responseSchema,
  taggedResponse,
  windowOf,
} from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import { draftField, LACKING, positionField } from '../agents/write/agent-body.js';
import { type Position, positionOf } from '../agents/write/layout.js';
import { LIMITS } from '../import/import-limits.js';
import { type Changed, tagAfter } from '../edit/story-version.js';
import type { NoteRecord } from './note-store.js';
import type { NoteService } from './note-service.js';

interface Services {
  notes: NoteService;
}

interface ListQuery extends PageQuery {
  story_id?: number;
  team_id?: number;
  draft_id?: number;
  mode: 'LIVE' | 'TEST';
}

interface NoteBody {
  content?: string;
  position?: Position | null;
}

interface NewNoteBody extends NoteBody {
  story_id: number;
  content: string;
  draft_id?: number | null;
}

const TAG = 'Notes';
/** Keys of a response that clients send back, and parameters without effect. */
const IGNORED = ['id', 'guid', 'story_mode', 'draft_name'];

const keys = {
  content: Joi.string()
    .allow('')
    .max(LIMITS.descriptionBytes, 'utf8')
    .description('Text, which may contain markup'),
  position: positionField.description('Position on the canvas; null for 0, 0 in a new note'),
};

const newNoteBody = component(
  'NewNote',
  Joi.object<NewNoteBody>({
    ...keys,
    story_id: idField.required().description('The story to add it to'),
    content: keys.content.required(),
    draft_id: draftField,
  }),
);
const noteBody = component(
  'NoteChanges',
  Joi.object<NoteBody>({
    ...keys,
    position: positionField.description('Position on the canvas; null for unchanged'),
  }),
);

const noteResponse = component(
  'Note',
  responseSchema({
    id: idSchema.description('The id of the note'),
    story_id: idSchema.description('The story of the note'),
    story_mode: Joi.string().valid('LIVE', 'TEST').description('TEST: in a draft'),
    group_id: Joi.valid(null).description('Action groups are not supported'),
    guid: Joi.string().allow(null).description('Guid in exports; null if none'),
    content: Joi.string().allow('').description('Text, which may contain markup'),
    position: responseSchema({
      x: Joi.number().description('Horizontal position'),
      y: Joi.number().description('Downwards'),
    })
      .allow(null)
      .description('Position on the canvas; null if none'),
    draft_id: idSchema.allow(null).description('Its draft'),
    draft_name: Joi.string().allow('', null).description('Name of the draft'),
  }),
);

const example = {
  id: 5,
  story_id: 12,
  story_mode: 'LIVE',
  group_id: null,
  guid: '375c1a679ba1164e1c375c1a679ba116',
  content: '# Alert triage\n\nSorts the alerts of the night',
  position: { x: 30, y: -60 },
  draft_id: null,
  draft_name: null,
};

function present({ id, storyId, draftOf, draftName, note }: NoteRecord) {
  return {
    id,
    story_id: storyId,
    story_mode: draftOf === null ? 'LIVE' : 'TEST',
    group_id: null,
    guid: typeof note.guid === 'string' ? note.guid : null,
    content: typeof note.content === 'string' ? note.content : '',
    position: positionOf(note.position) ?? null,
    draft_id: draftOf === null ? null : storyId,
    draft_name: draftName,
  };
}

async function* presented(notes: AsyncIterable<NoteRecord>) {
  for await (const note of notes) yield present(note);
}

const listQuery = Joi.object<ListQuery>({
  story_id: idField.description('Notes of this story'),
  team_id: idField.description('Notes of the stories of this team'),
  draft_id: draftField,
  mode: Joi.string()
    .uppercase()
    .valid('LIVE', 'TEST')
    .default('LIVE')
    .description('TEST for drafts, if no story is given'),
  ...pageKeys,
});

/** `notes` and `annotations` mean the same in paths; responses use the key `annotations`. */
const WORDS = ['notes', 'annotations'] as const;

/** Endpoints of notes on the boards of stories (spec §3.13). */
export const noteRoutes: AnyRoute<Services>[] = WORDS.flatMap((word) => {
  const places = placesOf(`/api/v1/${word}`, example.id);
  const routes = crudRoutes<Services, NoteRecord & Changed>({
    tag: TAG,
    ...places,
    response: noteResponse,
    example,
    present: (note) => taggedResponse(present(note), tagAfter(note)),
  });
  const known = { ignored: IGNORED, unsupported: LACKING };
  return [
    defineRoute<unknown, ListQuery, unknown, Services>({
      method: 'get',
      path: places.list.path,
      summary: `List the ${word} of all stories`,
      query: listQuery,
      ...known,
      docs: {
        tag: TAG,
        description:
          'Notes that the key can access, oldest story first; at most 100,000. `notes` and `annotations` in paths are equivalent.',
        response: listSchema('annotations', noteResponse),
        example: {
          query: { story_id: 12 },
          response: { annotations: [example], meta: exampleMeta(places.list.path) },
        },
        errors: [404, 422],
      },
      async handle({ actor, query, request }, { notes }) {
        const { story_id: storyId, team_id: teamId, draft_id: draftId, mode } = query;
        const asked = { storyId, teamId, draftId, drafts: mode === 'TEST' };
        const { items, total } = await notes.list(actor, asked, windowOf(query));
        return new ListResponse('annotations', presented(items), pageMeta(request, query, { total }));
      },
    }),

    routes.create<NewNoteBody>({
      summary: `Add one of the ${word} to a story`,
      description:
        'A Markdown text on the canvas of the story; it has no effect on runs. With `draft_id`, it is added to that draft.',
      body: newNoteBody,
      exampleBody: { story_id: 12, content: example.content, position: example.position },
      errors: [400, 403, 404, 409, 413, 415, 422],
      audit: 'note.create',
      ...known,
      check: ({ actor, body }, { notes }) =>
        notes.checkCreate(actor, { storyId: body.story_id, draftId: body.draft_id }),
      handle: ({ actor, body }, { notes }) =>
        notes.create(actor, { storyId: body.story_id, draftId: body.draft_id }, changeOf(body)),
    }),

    routes.get({
      summary: `Get one of the ${word}`,
      description: 'Its text, its position on the canvas, and its story or draft.',
      ignored: [...IGNORED, 'mode', 'draft_id'],
      unsupported: LACKING,
      handle: ({ actor, params }, { notes }) => notes.get(actor, params.id),
    }),

    ...routes.update<NoteBody>({
      summary: `Update one of the ${word}`,
      description: 'Changes the given fields.',
      body: noteBody,
      exampleBody: { content: example.content },
      errors: [400, 403, 404, 409, 413, 415, 422],
      honoursIfMatch: true,
      audit: 'note.update',
      ignored: [...IGNORED, 'story_id', 'mode', 'draft_id'],
      unsupported: LACKING,
      check: ({ actor, params }, { notes }) => notes.check(actor, params.id),
      handle: ({ actor, params, body, request }, { notes }) =>
        notes.update(actor, { id: params.id, ifMatch: request.ifMatch }, changeOf(body)),
    }),

    routes.delete({
      summary: `Delete one of the ${word}`,
      description: 'Removes the text from the canvas; actions are unchanged.',
      honoursIfMatch: true,
      audit: 'note.delete',
      ignored: [...IGNORED, 'mode', 'draft_id'],
      unsupported: LACKING,
      handle: ({ actor, params, request }, { notes }) =>
        notes.delete(actor, { id: params.id, ifMatch: request.ifMatch }),
    }),
  ];
});

function changeOf({ content, position }: NoteBody) {
  return { content, position: position ?? undefined };
}
