import Joi from 'joi';
import {
  type AnyRoute,
  component,
  defineRoute,
  defineUpdate,
  requireOwner,
  responseSchema,
  timeSchema,
} from '../../api/face.js';
import { allowedSender } from '../../config/face.js';
import { timestamp } from '../../platform/time/timestamp.js';
import {
  mailFromField,
  oauthOf,
  presentOauth,
  type SmtpOauthBody,
  smtpOauthField,
  smtpUrlField,
} from './mail-settings-fields.js';
import type { MailSettingsService, MailSettingsView } from './mail-settings-service.js';

interface Services {
  mailSettings: MailSettingsService;
}

interface UpdateBody {
  smtp_url?: string | null;
  smtp_oauth?: SmtpOauthBody | null;
  mail_from?: string;
  mail_from_allow?: string[];
}

/** Maximum number of senders in `mail_from_allow`. */
const MAX_SENDERS = 100;

const settingsResponse = component(
  'MailSettings',
  responseSchema({
    smtp_server: Joi.string().allow(null).description('null to use the mail server of this installation'),
    smtp_user: Joi.string().allow(null).description('User name at the mail server; null if none'),
    smtp_oauth: responseSchema({
      token_url: Joi.string().description('Token source'),
      client_id: Joi.string(),
      scope: Joi.string().allow(null).description('Requested scope'),
    })
      .allow(null)
      .description('Token settings without secrets; null if a password or no authentication is used'),
    mail_from: Joi.string(),
    mail_from_allow: Joi.array().items(Joi.string()),
    updated_at: timeSchema.allow(null),
  }),
);

const example = {
  smtp_server: 'smtps://mail.acme.example:465',
  smtp_user: 'fabula',
  smtp_oauth: null,
  mail_from: 'Acme Security <security@acme.example>',
  mail_from_allow: ['*@acme.example'],
  updated_at: '2026-11-21T09:30:00Z',
};

/** Without the password: it can be set, and used to send mails, but not read. */
function present(settings: MailSettingsView) {
  return {
    smtp_server: settings.smtpServer,
    smtp_user: settings.smtpUser,
    smtp_oauth: settings.smtpOauth && presentOauth(settings.smtpOauth),
    mail_from: settings.mailFrom,
    mail_from_allow: settings.mailFromAllow,
    updated_at: settings.updatedAt && timestamp(settings.updatedAt),
  };
}

/** The mail server and senders of a tenant (decision 0032). */
export const mailSettingsRoutes: AnyRoute<Services>[] = [
  defineRoute<unknown, unknown, unknown, Services>({
    method: 'get',
    path: '/api/v1/tenants/current/mail_settings',
    summary: 'Get the mail settings of the tenant',
    docs: {
      tag: 'Tenants',
      operationId: 'getMailSettings',
      description: 'For Owners. The password of the mail server is not returned.',
      response: settingsResponse,
      example: { response: example },
      errors: [403, 409],
    },
    async handle({ actor }, { mailSettings }) {
      return present(await mailSettings.get(actor));
    },
  }),

  ...defineUpdate<unknown, unknown, UpdateBody, Services>({
    path: '/api/v1/tenants/current/mail_settings',
    summary: 'Set the mail settings of the tenant',
    body: Joi.object<UpdateBody>({
      smtp_url: smtpUrlField
        .allow(null)
        .description(
          '`smtps://user:password@host:port`, with `?name=mail.example.com` appended to set the EHLO name; null to use the mail server of this installation',
        ),
      smtp_oauth: smtpOauthField
        .allow(null)
        .description(
          'How the user of `smtp_url`, then without a password, authenticates with tokens (XOAUTH2). Required again with a new `smtp_url`; null to disable tokens',
        ),
      mail_from: mailFromField.description('Default sender, for actions that set none'),
      mail_from_allow: Joi.array()
        .items(allowedSender)
        .max(MAX_SENDERS)
        .description('Other senders that actions may use: addresses, `*@domain`, or `*` for any'),
    }),
    audit: 'tenant.mail_settings',
    docs: {
      tag: 'Tenants',
      operationId: 'updateMailSettings',
      description:
        'For Owners. Omitted fields are unchanged. The URL is stored encrypted; with a user name, the connection must be encrypted too. Non-public addresses are rejected when mail is sent, unless listed in `OUTBOUND_ALLOW`. Workers use new settings within five seconds.',
      response: settingsResponse,
      example: {
        body: {
          smtp_url: 'smtps://fabula:s3cret@mail.acme.example:465',
          mail_from: 'Acme Security <security@acme.example>',
          mail_from_allow: ['*@acme.example'],
        },
        response: example,
      },
      errors: [400, 403, 409, 415, 422],
    },
    check: ({ actor }) => requireOwner(actor),
    async handle({ actor, body }, { mailSettings }) {
      const {
        smtp_url: smtpUrl,
        smtp_oauth: given,
        mail_from: mailFrom,
        mail_from_allow: mailFromAllow,
      } = body;
      const smtpOauth = given && oauthOf(given);
      return present(await mailSettings.update(actor, { smtpUrl, smtpOauth, mailFrom, mailFromAllow }));
    },
  }),
];
