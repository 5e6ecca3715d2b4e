import Joi from 'joi';
import { LOG_LEVELS } from '../../agents/face.js';
import { component, idSchema, responseSchema } from '../../api/face.js';
import { API_LEVELS, apiLevelOf, LOG_SEVERITIES } from '../../observe/face.js';
import { EVENT_PORTS } from '../report/trial-report.js';
import type { ActionTrial, TrialRequest } from './action-trial.js';

const requestSchema = component(
  'TrialRequest',
  responseSchema({
    method: Joi.string().description('In upper case'),
    url: Joi.string().description('With the query'),
    headers: Joi.object().unknown(true).description('Names in lower case; secrets replaced by ●●●'),
    body: Joi.any().description('Parsed JSON, or else text, or else base64; null if none'),
    status: Joi.number()
      .integer()
      .allow(null)
      .description('Status of the response; 0 if there was none; null if not sent'),
  }),
);

const outputSchema = component(
  'TrialOutput',
  responseSchema({
    payload: Joi.any().description('The content of the event'),
    port: Joi.string()
      .valid(...EVENT_PORTS)
      .description('The port by which it leaves the action'),
    receivers: Joi.array().items(idSchema).description('Ids of its receivers'),
  }),
);

const logSchema = component(
  'TrialLog',
  responseSchema({
    level: Joi.number()
      .valid(...API_LEVELS)
      .description('1 debug, 3 info and warn, 4 error'),
    severity: Joi.string()
      .valid(...LOG_SEVERITIES)
      .description('The name of the level'),
    message: Joi.string().allow(''),
  }),
);

/** The schema of a trial in a response. */
export const trialSchema = component(
  'ActionTrial',
  responseSchema({
    options: Joi.object()
      .unknown(true)
      .allow(null)
      .description('The rendered options; null if rendering failed'),
    request: requestSchema.allow(null).description('The first of `requests`; null if none'),
    requests: Joi.array().items(requestSchema).description('Requests that it sent or would send'),
    mails: Joi.array()
      .items(Joi.object().unknown(true))
      .description('Mails that it sent or would send: recipients, subject and text'),
    outputs: Joi.array().items(outputSchema).description('The events that it would emit'),
    effect: Joi.object()
      .unknown(true)
      .allow(null)
      .description(
        'Its effect other than events: `kind` is sleep, gather, call, record, deduplicate, throttle or prompts; null if none',
      ),
    logs: Joi.array().items(logSchema).description('The lines for its log'),
    error: Joi.string().allow('', null).description('Why it failed; null if it did not'),
    left_out: Joi.array().items(Joi.string()).description('Parts that are too large for the response'),
    took_ms: Joi.number().integer().description('Milliseconds'),
  }),
);

/** A trial that `trialSchema` allows. */
export const trialExample = {
  options: { url: 'https://api.example.com/hosts/web-1', method: 'get' },
  request: {
    method: 'GET',
    url: 'https://api.example.com/hosts/web-1',
    headers: { authorization: 'Bearer [credential hosts]' },
    body: null,
    status: null,
  },
  requests: [
    {
      method: 'GET',
      url: 'https://api.example.com/hosts/web-1',
      headers: { authorization: 'Bearer [credential hosts]' },
      body: null,
      status: null,
    },
  ],
  mails: [],
  outputs: [],
  effect: null,
  logs: [],
  error: null,
  left_out: [],
  took_ms: 12,
};

/** Presents a trial. */
export function presentTrial(trial: ActionTrial) {
  const requests = trial.requests.map(presentRequest);
  return {
    options: trial.options ?? null,
    request: requests[0] ?? null,
    requests,
    mails: trial.mails,
    outputs: trial.outputs.map(({ payload, port, receiverIds }) => ({
      payload,
      port,
      receivers: receiverIds,
    })),
    effect: trial.effect ?? null,
    logs: trial.logs.map(({ level, message }) => ({
      level: apiLevelOf(LOG_LEVELS[level]),
      severity: level,
      message,
    })),
    error: trial.error ?? null,
    left_out: trial.leftOut,
    took_ms: Math.round(trial.tookMs),
  };
}

function presentRequest({ method, url, headers, body, status }: TrialRequest) {
  return { method, url, headers, body: body ?? null, status: status ?? null };
}
