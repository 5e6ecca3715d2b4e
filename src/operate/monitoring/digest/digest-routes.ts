import Joi from 'joi';
import {
  type AnyRoute,
  component,
  defineRoute,
  idSchema,
  requireTeam,
  responseSchema,
  timeSchema,
} from '../../../api/face.js';
import { type IdParams, idParams } from '../../../platform/http/address/path-id.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import { isTimeZone } from '../../../platform/time/time-zone.js';
import { addressField } from '../../../stories/face.js';
import type { DigestRequest, DigestService } from './digest-service.js';
import type { StoredDigest } from './digest-store.js';

interface Services {
  digests: DigestService;
}

const PATH = '/api/v1/teams/:id/digest';
const MOST_RECIPIENTS = 100;
const DEFAULTS = { hour: 7, timezone: 'UTC' };

const digestSchema = component(
  'Digest',
  responseSchema({
    team_id: idSchema,
    enabled: Joi.boolean().description('Whether the digest is sent'),
    recipients: Joi.array().items(Joi.string()).description('Recipient addresses'),
    hour: Joi.number().integer().description('Hour of the day, in `timezone`'),
    timezone: Joi.string().description('IANA name of the time zone'),
    signed: Joi.boolean().description('Whether requests to HTTP and HTTPS addresses are signed'),
    next_at: timeSchema.allow(null).description('When the next digest is created; null if the digest is off'),
    last_at: timeSchema.allow(null).description('When the last digest was created'),
  }),
);

const example = {
  team_id: 2,
  enabled: true,
  recipients: ['soc@example.com'],
  hour: 7,
  timezone: 'Europe/Dublin',
  signed: false,
  next_at: '2026-11-27T07:00:00Z',
  last_at: '2026-11-26T07:00:12Z',
};

const digestBody = Joi.object<DigestRequest>({
  recipients: Joi.array()
    .items(addressField)
    .max(MOST_RECIPIENTS)
    .required()
    .description('Mail addresses and HTTP or HTTPS addresses. An empty list turns the digest off'),
  hour: Joi.number()
    .integer()
    .min(0)
    .max(23)
    .default(DEFAULTS.hour)
    .description('Hour of the day, in `timezone`'),
  timezone: Joi.string()
    .custom((name: string, helpers) => (isTimeZone(name) ? name : helpers.error('any.invalid')))
    .default(DEFAULTS.timezone)
    .description('IANA name of the time zone, such as `Europe/Dublin`'),
  secret: Joi.string()
    .min(16)
    .max(255)
    .allow(null)
    .description(
      'Signs requests to HTTP and HTTPS addresses. null removes it; if omitted, the current secret is kept',
    ),
});

/** The daily digest of a team (spec §2.6). */
export const digestRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: PATH,
    summary: 'Get the daily digest of a team',
    params: idParams,
    docs: {
      tag: 'Teams',
      operationId: 'getTeamDigest',
      description: 'For TEAM_ADMINs. The secret is not returned.',
      response: digestSchema,
      example: { params: { id: 2 }, response: example },
      errors: [403, 404],
    },
    handle: async ({ actor, params }, { digests }) => present(params.id, await digests.get(actor, params.id)),
  }),

  defineRoute<IdParams, unknown, DigestRequest, Services>({
    method: 'put',
    path: PATH,
    summary: 'Set the daily digest of a team',
    params: idParams,
    body: digestBody,
    audit: 'team.digest',
    docs: {
      tag: 'Teams',
      operationId: 'updateTeamDigest',
      description:
        'For TEAM_ADMINs. Once a day, recipients get a summary of the previous day: runs, failures by story, dead letters, slow stories and silent monitored actions. Off by default.',
      response: digestSchema,
      example: {
        params: { id: 2 },
        body: { recipients: ['soc@example.com'], hour: 7, timezone: 'Europe/Dublin' },
        response: example,
      },
      errors: [400, 403, 404, 415, 422],
    },
    check: ({ actor, params }) => requireTeam(actor, params.id, 'manage'),
    handle: async ({ actor, params, body }, { digests }) =>
      present(params.id, await digests.set(actor, params.id, body)),
  }),
];

function present(teamId: number, digest: StoredDigest | undefined) {
  return {
    team_id: teamId,
    enabled: digest !== undefined,
    recipients: digest?.recipients ?? [],
    hour: digest?.hour ?? DEFAULTS.hour,
    timezone: digest?.timezone ?? DEFAULTS.timezone,
    signed: digest?.isSigned ?? false,
    next_at: digest === undefined ? null : timestamp(digest.nextAt),
    last_at: digest?.lastAt ? timestamp(digest.lastAt) : null,
  };
}
