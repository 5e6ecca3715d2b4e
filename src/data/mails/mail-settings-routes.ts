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
    smtp_server: Joi.string().allow(null).description('null: the mail server of this installation'),
    smtp_user: Joi.string().allow(null).description('The user at the mail server; null: none'),
    smtp_oauth: responseSchema({
      token_url: Joi.string().description('Where tokens come from'),
      client_id: Joi.string(),
      scope: Joi.string().allow(null).description('The scope that is asked for'),
    })
      .allow(null)
      .description('The access by tokens, without its secrets; null: a password, or no login'),
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
    summary: 'Get how the tenant’s mails leave',
    docs: {
      tag: 'Tenants',
      operationId: 'getMailSettings',
      description: 'For Owners. Without the password of the mail server.',
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
    summary: 'Set how the tenant’s mails leave',
    body: Joi.object<UpdateBody>({
      smtp_url: smtpUrlField
        .allow(null)
        .description(
          '`smtps://user:password@host:port`, with `?name=mail.example.com` behind it for the name in EHLO; null: the mail server of this installation',
        ),
      smtp_oauth: smtpOauthField
        .allow(null)
        .description(
          'How the user of `smtp_url`, which has no password then, logs in with tokens (XOAUTH2). A new `smtp_url` needs it again; null: not with tokens',
        ),
      mail_from: mailFromField.description('The sender of mails whose action sets none'),
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
        'For Owners. Fields that are not given stay. The URL is stored encrypted; if it has a user, the connection must be encrypted too. Addresses that are not public are refused when a mail is sent, unless `OUTBOUND_ALLOW` lists them. Workers use new settings within five seconds.',
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
