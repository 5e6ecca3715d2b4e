import Joi from 'joi';
import { component, idSchema, responseSchema } from '../../api/face.js';
import { EVENT_PORTS } from '../report/trial-report.js';

const action = component(
  'TriedAction',
  responseSchema({
    id: idSchema.allow(null).description('null if it only exists in the export'),
    guid: Joi.string().allow('').description('The guid in exports'),
    name: Joi.string().allow('').description('Display name'),
  }),
);

const at = {
  story: Joi.string()
    .allow('')
    .description('The story of the action: the story under trial, or one that it called'),
  action: action.allow(null).description('null if no action emitted it'),
  parent_id: Joi.number()
    .integer()
    .allow(null)
    .description('The event that the action received; null for the first'),
  at_ms: Joi.number().integer().description('Simulated milliseconds since the start'),
};

const event = component(
  'TriedEvent',
  responseSchema({
    id: Joi.number().integer().description('Within this trial'),
    ...at,
    children: Joi.array().items(Joi.number().integer()).description('Downstream events'),
    port: Joi.string()
      .valid(...EVENT_PORTS)
      .allow(null)
      .description('The port by which it left the action; null for the event that the trial began with'),
    receivers: Joi.array().items(action).description('The actions that received it'),
    payload: Joi.any().description('The payload that the action emitted; null if omitted'),
  }),
);

const request = component(
  'TriedRequest',
  responseSchema({
    ...at,
    method: Joi.string().description('In upper case'),
    url: Joi.string().description('With the query'),
    headers: Joi.object().unknown(true).description('Names in lower case'),
    body: Joi.any().description('Parsed JSON, or else text, or else base64; null if none'),
    status: Joi.number().integer().description('Status of the response; 0 if there was none'),
    reason: Joi.string().allow(null).description('Why there was no response'),
    response_from: Joi.string()
      .valid('recorded', 'rule', 'sent', 'none')
      .description('recorded: from the past run; sent: the request was really sent; none: no response'),
  }),
);

const change = component(
  'TrialChange',
  responseSchema({
    path: Joi.string().allow('').description('Path in the payload; empty for the whole'),
    before: Joi.any().description('In the past run; null if absent'),
    after: Joi.any().description('In the trial; null if absent'),
  }),
);

const changedEvent = component(
  'TrialChangedEvent',
  responseSchema({
    event_id: Joi.number().integer().description('The id of the event in the trial'),
    past_event_id: idSchema,
    changes: Joi.array().items(change).description('The parts of the payload that differ'),
  }),
);

const texts = Joi.array().items(Joi.string().allow(''));
const numbers = Joi.array().items(Joi.number().integer());

const ofAction = component(
  'TrialActionDifference',
  responseSchema({
    action: action.allow(null).description('null if it was deleted'),
    added: numbers.description('Events only in the trial'),
    missing: Joi.array().items(idSchema).description('Events only in the past run'),
    changed: Joi.array().items(changedEvent).description('Events with a different payload'),
    errors: component(
      'TrialErrors',
      responseSchema({
        before: texts.description('Errors in the past run'),
        after: texts.description('Errors in the trial'),
      }),
    )
      .allow(null)
      .description('null if it failed as before'),
  }),
);

const difference = component(
  'TrialDifference',
  responseSchema({
    same: Joi.boolean().description('Whether the trial matches the past run'),
    count: Joi.number()
      .integer()
      .description('Number of added, missing or changed events and actions with different errors'),
    actions: Joi.array().items(ofAction).description('Actions that behaved differently'),
    varying: Joi.array()
      .items(
        responseSchema({
          action: action.allow(null).description('The action that emitted the event'),
          path: Joi.string().allow('').description('Path in its payload'),
        }),
      )
      .description('Parts that differ in every run, such as times and random values; not compared'),
  }),
);

const record = component(
  'TriedRecord',
  responseSchema({
    ...at,
    record: Joi.object()
      .unknown(true)
      .allow(null)
      .description('The record as actions see it; null if omitted'),
  }),
);

/** The schema of a trial of a story in a response. */
export const storyTrialSchema = component(
  'StoryTrial',
  responseSchema({
    ok: Joi.boolean().description(
      'Whether no action failed, every request was answered, and the run completed',
    ),
    story_id: idSchema.allow(null).description('null for an export'),
    story_run_guid: Joi.string().allow(null).description('The past run; null if none'),
    difference: difference.allow(null).description('Comparison with the past run; null if there is none'),
    events: Joi.array().items(event).description('In order; a tree by `parent_id` and `children`'),
    silent: Joi.array()
      .items(responseSchema(at))
      .description('Work that ended without an event, such as of a trigger that did not match'),
    requests: Joi.array().items(request).description('Requests that actions made'),
    mails: Joi.array()
      .items(responseSchema({ ...at }).unknown(true))
      .description('Recipients, subject and text; not sent'),
    records: Joi.array().items(record).description('Records that would be written'),
    prompts: Joi.array()
      .items(responseSchema({ ...at, status: Joi.string().allow('').description('The name in the link') }))
      .description('Prompt links'),
    calls: Joi.array()
      .items(
        responseSchema({
          ...at,
          called_story: Joi.string().allow('').description('The name of the called story'),
        }),
      )
      .description('Calls of other stories'),
    errors: Joi.array()
      .items(responseSchema({ ...at, error: Joi.string().allow('').description('The last error') }))
      .description('Actions that failed permanently'),
    logs: Joi.array()
      .items(
        responseSchema({
          ...at,
          severity: Joi.string().description('debug, info, warn or error'),
          message: Joi.string().allow('').description('The line; empty if omitted'),
        }),
      )
      .description('Lines for the logs of actions'),
    waiting: Joi.array().items(responseSchema(at)).description('Work that would wait indefinitely'),
    unanswered: texts.description('Requests without a response'),
    missing: responseSchema({
      credentials: texts.description('Names of credentials'),
      resources: texts.description('Names of resources'),
    }).description('Names missing in the team'),
    not_runnable: Joi.array()
      .items(
        responseSchema({
          story: Joi.string().allow('').description('The story of the action'),
          name: Joi.string().description('The action'),
          reason: Joi.string().description('Why it cannot run'),
        }),
      )
      .description('Reached actions of types that cannot run here'),
    stopped: Joi.string().allow(null).description('Why it was stopped early; null if it was not'),
    not_taken: texts.description('Parts of the past run that could not be used'),
    left_out: texts.description('Parts of the response that are too large'),
    took_ms: Joi.number().integer().description('Duration of the trial in milliseconds'),
  }),
);

const hook = { id: 31, guid: 'a'.repeat(32), name: 'Receive alert' };
const grade = { id: 32, guid: 'b'.repeat(32), name: 'Grade' };

/** A trial that `storyTrialSchema` allows. */
export const storyTrialExample = {
  ok: true,
  story_id: 12,
  story_run_guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57',
  difference: {
    same: false,
    count: 1,
    actions: [
      {
        action: grade,
        added: [],
        missing: [],
        changed: [
          {
            event_id: 2,
            past_event_id: 831,
            changes: [{ path: 'grade', before: 'low', after: 'high' }],
          },
        ],
        errors: null,
      },
    ],
    varying: [],
  },
  events: [
    {
      id: 1,
      story: 'Alert triage',
      action: hook,
      parent_id: null,
      at_ms: 0,
      children: [2],
      port: null,
      receivers: [grade],
      payload: { body: { host: 'web-1' } },
    },
    {
      id: 2,
      story: 'Alert triage',
      action: grade,
      parent_id: 1,
      at_ms: 0,
      children: [],
      port: 'default',
      receivers: [],
      payload: { grade: 'high' },
    },
  ],
  silent: [],
  requests: [],
  mails: [],
  records: [],
  prompts: [],
  calls: [],
  errors: [],
  logs: [],
  waiting: [],
  unanswered: [],
  missing: { credentials: [], resources: [] },
  not_runnable: [],
  stopped: null,
  not_taken: [],
  left_out: [],
  took_ms: 14,
};
