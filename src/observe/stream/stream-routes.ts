import Joi from 'joi';
import { type AnyRoute, defineRoute } from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import { STREAM_KINDS, type StreamKind, streamEventExample, streamEventSchema } from './stream-event.js';
import type { StreamService } from './stream-service.js';

interface Services {
  stream: StreamService;
}

interface StreamQuery {
  story_id?: number;
  team_id?: number;
  draft_id?: number;
  kinds: StreamKind[];
  last_event_id?: string;
  seconds: number;
}

const LONGEST_SECONDS = 3_600;
const LONGEST_ID = 64;

const query = Joi.object<StreamQuery>({
  story_id: idField.description('The story or draft to follow'),
  team_id: idField.description('The team to follow'),
  draft_id: idField.description('A draft to follow as well'),
  kinds: Joi.array()
    .items(Joi.string().valid(...STREAM_KINDS))
    .single()
    .max(STREAM_KINDS.length)
    .default([...STREAM_KINDS])
    .description('Types of events; default: all'),
  last_event_id: Joi.string()
    .max(LONGEST_ID)
    .description('Same as the header `Last-Event-ID`, for clients that cannot set it'),
  seconds: Joi.number()
    .integer()
    .min(1)
    .max(LONGEST_SECONDS)
    .default(LONGEST_SECONDS)
    .description('The stream ends after this time'),
});

/** The endpoint of live events (spec §5.13). */
export const streamRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, StreamQuery, unknown, Services>({
    method: 'get',
    path: '/api/v1/stream',
    summary: 'Stream live events of stories as server-sent events',
    query,
    docs: {
      operationId: 'openStream',
      tag: 'Story runs',
      description:
        'A continuous `text/event-stream` response: each event has the fields `id`, `event` and `data`, which is JSON. Includes only what the key can access: live stories and cases, unless `story_id` is a story or draft, and the draft of `draft_id`. A `resync` event means that earlier events are missing: reload the lists. The first event arrives within three seconds. With `Last-Event-ID`, the stream resumes after that event, if it is recent enough. A comment is sent every 15 seconds. A stream ends when the permissions of the key change or its process stops; reconnect then.',
      contentType: 'text/event-stream',
      response: streamEventSchema,
      example: { query: { story_id: 12, seconds: 60 }, response: streamEventExample },
      errors: [404, 422],
    },
    handle: ({ actor, query: asked, request }, { stream }) =>
      stream.open(actor, {
        filter: {
          storyId: asked.story_id,
          teamId: asked.team_id,
          draftId: asked.draft_id,
          kinds: new Set(asked.kinds),
        },
        lastEventId: request.lastEventId ?? asked.last_event_id,
        seconds: asked.seconds,
      }),
  }),
];
