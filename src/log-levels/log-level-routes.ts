import Joi from 'joi';
import type { Operators } from '../access/people/operator.js';
import { component } from '../api/openapi/component.js';
import { responseSchema, timeSchema } from '../api/response-schema.js';
import { type AnyRoute, defineRoute, defineUpdate } from '../api/route.js';
import { LOG_LEVELS } from '../platform/log-level.js';
import { timestamp } from '../platform/text/timestamp.js';
import { LOG_COMPONENT_NAMES, LOG_COMPONENTS } from './log-components.js';
import type { LevelChange, LogLevelService, ShownLevel } from './log-level-service.js';

interface Services {
  logLevels: LogLevelService;
  operators: Pick<Operators, 'requireOperator'>;
}

const TAG = 'Info';
const DEFAULT_MINUTES = 15;
const MAX_MINUTES = 24 * 60;
const level = Joi.string().valid(...LOG_LEVELS);

const response = responseSchema({
  log_levels: Joi.array()
    .items(
      component(
        'LogLevel',
        responseSchema({
          component: Joi.string()
            .valid(...LOG_COMPONENT_NAMES)
            .description('The part of the server'),
          description: Joi.string(),
          level: level.description('The least severe level that it logs'),
          ends_at: timeSchema.allow(null).description('null: the usual level, `LOG_LEVEL`'),
        }),
      ),
    )
    .description('Each component'),
});

function present(levels: ShownLevel[]) {
  return {
    log_levels: levels.map((shown) => ({
      component: shown.component,
      description: LOG_COMPONENTS[shown.component],
      level: shown.level,
      ends_at: shown.endsAt && timestamp(shown.endsAt),
    })),
  };
}

const example = {
  log_levels: [
    {
      component: 'requests',
      description: LOG_COMPONENTS.requests,
      level: 'info',
      ends_at: null,
    },
    { component: 'jobs', description: LOG_COMPONENTS.jobs, level: 'debug', ends_at: '2026-11-25T22:45:00Z' },
  ],
};

/** Levels of the log by component, for all processes (docs/operations/logs.md). */
export const logLevelRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, unknown, unknown, Services>({
    method: 'get',
    path: '/api/v1/admin/log_levels',
    summary: 'List the log levels of all components',
    docs: {
      tag: TAG,
      operationId: 'listLogLevels',
      description: 'For an Owner of the only tenant. The levels are those of all processes.',
      response,
      example: { response: example },
      errors: [403],
    },
    async handle({ actor }, { logLevels, operators }) {
      await operators.requireOperator(actor);
      return present(await logLevels.list());
    },
  }),

  ...defineUpdate<unknown, unknown, LevelChange, Services>({
    path: '/api/v1/admin/log_levels',
    summary: 'Log more of some components for a time',
    body: Joi.object<LevelChange>({
      levels: Joi.object(
        Object.fromEntries(
          LOG_COMPONENT_NAMES.map((name) => [name, level.allow(null).description(LOG_COMPONENTS[name])]),
        ),
      )
        .min(1)
        .required()
        .description('The level of each component to change; null: the usual one, now'),
      minutes: Joi.number()
        .integer()
        .min(1)
        .max(MAX_MINUTES)
        .default(DEFAULT_MINUTES)
        .description('After this time the usual level holds again'),
    }),
    audit: 'log_level.update',
    docs: {
      tag: TAG,
      operationId: 'updateLogLevels',
      description:
        'For an Owner of the only tenant, unless `LOG_LEVEL_CHANGES` is `nobody`. Every process follows within seconds. A level may only tell more than `LOG_LEVEL`. Other components stay as they are.',
      response,
      example: { body: { levels: { jobs: 'debug' }, minutes: 15 }, response: example },
      errors: [400, 403, 415, 422],
    },
    async check({ actor, body }, { logLevels, operators }) {
      await operators.requireOperator(actor);
      return logLevels.problems(body);
    },
    async handle({ actor, body }, { logLevels, operators }) {
      await operators.requireOperator(actor);
      return present(await logLevels.change(body));
    },
  }),
];
