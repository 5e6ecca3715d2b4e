import Joi from 'joi';
import { type AnyRoute, defineRoute } from '../../api/face.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { idField } from '../../platform/http/address/path-id.js';
import { LIMITS } from '../import/import-limits.js';
import { type CheckService } from './check-service.js';
import { storyCheckSchema } from './check-schemas.js';

interface Services {
  storyChecks: CheckService;
}

interface CheckInput {
  data?: unknown;
  story_id?: number;
  draft_id?: number;
}

/** The body, with the story as the text that a thread checks. */
interface CheckBody {
  text: string | undefined;
  storyId: number | undefined;
}

const checkBody = Joi.object<CheckInput>({
  data: Joi.any().description('A story in the export format, or an import body'),
  story_id: idField.description('A stored story, instead of `data`'),
  draft_id: idField.description('A draft, instead of `data`'),
}).xor('data', 'story_id', 'draft_id');

const example = {
  ok: true,
  refusals: [],
  warnings: [],
  story: {
    name: 'Alert triage',
    schema_version: 14,
    language: 'formula',
    links: 0,
    actions: [
      {
        position: 0,
        name: 'Receive alert',
        type: 'Agents::WebhookAgent',
        mode: null,
        state: 'runs',
        reason: null,
        templates: 0,
        findings: [],
      },
    ],
    sub_stories: [],
  },
  needs: { credentials: [], resources: [], stories: [] },
  counts: { stories: 1, actions: 1, links: 0, runs: 1, errors: 0, warnings: 0, hints: 0 },
};

/** Endpoint that checks a story (spec §3.18). */
export const checkRoutes: readonly AnyRoute<Services>[] = [
  defineRoute<unknown, unknown, CheckBody, Services>({
    method: 'post',
    path: '/api/v1/stories/check',
    summary: 'Check a story',
    body: checkBody,
    maxValues: LIMITS.values,
    prepare: bodyOf,
    audit: 'story.check',
    docs: {
      tag: 'Editors',
      operationId: 'checkStory',
      description:
        'Reports the same as `fabula story check`: import errors, which actions can run, and every template error. Nothing is stored.',
      body: checkBody,
      response: storyCheckSchema,
      example: { body: { story_id: 12 }, response: example },
      errors: [400, 403, 404, 413, 415, 422],
    },
    check: ({ actor, body }, { storyChecks }) => storyChecks.requireVisible(actor, body.storyId),
    handle: ({ actor, body: { text, storyId } }, { storyChecks }) =>
      storyChecks.check(actor, text === undefined ? { storyId: storyId ?? 0 } : { text }),
  }),
];

function bodyOf(body: unknown): CheckBody {
  const { data, story_id: storyId, draft_id: draftId } = body as CheckInput;
  return { text: data === undefined ? undefined : stringifyJson(data), storyId: storyId ?? draftId };
}
