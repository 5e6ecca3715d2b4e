import Joi from 'joi';
import {
  component,
  streamEventText,
  idSchema,
  type LiveEvent,
  responseSchema,
  timeSchema,
} from '../../api/face.js';
import { START } from '../../platform/redis/listened-stream.js';
import { hideInText } from '../../platform/secrets/hidden-secrets.js';
import { timestamp } from '../../platform/time/timestamp.js';
import type { LiveEventScope } from './live-event-scope.js';

/** The kinds of events that a reader may choose from. */
export const STREAM_KINDS = [
  'run_started',
  'run_ended',
  'counts',
  'log',
  'dead_letter',
  'story_changed',
  'case_changed',
  'audit_log_changed',
] as const satisfies readonly LiveEvent['kind'][];
export type StreamKind = (typeof STREAM_KINDS)[number];

/** Why a reader has to read its lists again. */
const RESYNC_REASONS = ['begun', 'too_old', 'too_slow', 'too_many'] as const;
export type ResyncReason = (typeof RESYNC_REASONS)[number];

/** The data of each kind of event; the document lists them as alternatives of one schema. */
export const streamEventSchema = component(
  'StreamEvent',
  responseSchema({
    id: Joi.string().allow(null).description('Position of the event, for `Last-Event-ID`; null if none'),
    event: Joi.string()
      .valid(...STREAM_KINDS, 'resync')
      .description('Type of the event'),
    data: Joi.object({
      story_id: idSchema.description('The affected story. Not in case_changed, audit_log_changed, resync'),
      team_id: idSchema.description('The team of the story or case. Not in audit_log_changed, resync'),
      case_id: idSchema.description('The case. In case_changed'),
      at: timeSchema.description('When it happened'),
      story_run_guid: Joi.string().guid().description('The run. In run_started, run_ended, log, dead_letter'),
      source: Joi.string().description('The source of the run. In run_started'),
      status: Joi.string()
        .valid('completed', 'failed', 'cancelled')
        .description('How the run ended. In run_ended'),
      agent_id: idSchema.description('The action. In log, dead_letter'),
      level: Joi.string().valid('warn', 'error').description('In log'),
      message: Joi.string().allow('').description('At most 300 characters. In log, dead_letter'),
      dead_letter_id: idSchema.description('The dead letter. In dead_letter'),
      deleted: Joi.boolean().description('Whether the story was deleted. In story_changed'),
      runs_started: Joi.number().integer().description('Started runs. In counts'),
      events: Joi.number().integer().description('Stored events. In counts'),
      dead_letters: Joi.number().integer().description('New dead letters. In counts'),
      omitted: Joi.number().integer().description('Skipped events of the stream. In counts'),
      reason: Joi.string()
        .valid(...RESYNC_REASONS)
        .description('Why lists must be reloaded. In resync'),
    }).description('Data, by type of the event'),
  }),
);

/** An event that `streamEventSchema` allows. */
export const streamEventExample = {
  id: '1795600801234-0.1',
  event: 'run_ended',
  data: {
    story_id: 12,
    team_id: 2,
    at: '2026-11-21T10:02:11Z',
    story_run_guid: '0193a5c1-7d2e-7b31-9c44-2f6d0a1b8e57',
    status: 'completed',
  },
};

/** Returns the data of an event; unless `full`, without links that start runs or answer prompts. */
export function presentLiveEvent(item: LiveEvent, { teamId }: LiveEventScope, full: boolean) {
  return {
    ...subjectOf(item),
    ...(teamId !== undefined && { team_id: teamId }),
    at: timestamp(new Date(item.at)),
    ...detailsOf(item, full ? (text) => text : hideInText),
  };
}

/** Returns the id of the story or case that the live event is about. */
function subjectOf(item: LiveEvent) {
  if (item.kind === 'audit_log_changed') return {};
  return item.kind === 'case_changed' ? { case_id: item.caseId } : { story_id: item.storyId };
}

function detailsOf(item: LiveEvent, shown: (text: string) => string) {
  switch (item.kind) {
    case 'run_started':
      return { story_run_guid: item.guid, source: item.source };
    case 'run_ended':
      return { story_run_guid: item.guid, status: item.status };
    case 'log':
      return {
        story_run_guid: item.guid,
        agent_id: item.agentId,
        level: item.level,
        message: shown(item.message),
      };
    case 'dead_letter':
      return {
        story_run_guid: item.guid,
        agent_id: item.agentId,
        dead_letter_id: item.id,
        message: shown(item.error),
      };
    case 'story_changed':
      return { deleted: item.gone !== undefined };
    case 'counts':
      return {
        runs_started: item.runsStarted,
        events: item.events,
        dead_letters: item.deadLetters,
        omitted: item.omitted,
      };
    // A newer version of a process may tell of more.
    default:
      return {};
  }
}

/** Returns the event that asks the reader to read its lists again; `id`: the place from which it misses nothing. */
export function resyncText(reason: ResyncReason, id: string): string {
  const data = JSON.stringify({ reason, at: timestamp(new Date()) });
  return streamEventText({ ...(id !== START && { id }), event: 'resync', data });
}

/** Returns the place of a reader without an event. */
export function placeText(id: string): string {
  return `id: ${id}\n\n`;
}
