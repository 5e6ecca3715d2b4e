import Joi from 'joi';
import { integerVariable, list, textVariable, url, webUrl } from '../value-types.js';
import { inGroup } from '../variable.js';

const variable = inGroup('Mail');

/** An address, `*@domain`, a domain, or `*`. */
export const allowedSender = Joi.string()
  .max(320)
  .pattern(/^(?:\*|(?:[^\s@,<>]+@)?[^\s@,<>*]+)$/);

/** How the mails of stories are sent (decision 0032). */
export const mailVariables = {
  smtpUrl: variable('SMTP_URL', url('smtp', 'smtps'), {
    defaultText: 'mails are written to files in `DATA_DIR`',
    secret: true,
    meaning:
      'Address of the mail server; `?name=` sets the name for EHLO, else the host of `PUBLIC_URL` or the machine.',
    example: 'smtps://user:password@mail.example.com',
  }),
  smtpOauth: {
    tokenUrl: variable('SMTP_OAUTH_TOKEN_URL', webUrl, {
      defaultText: 'the password of `SMTP_URL` is used',
      meaning: 'Token URL for the mail server.',
      note: '`SMTP_URL` must then have a user and no password.',
      example: 'https://login.microsoftonline.com/TENANT/oauth2/v2.0/token',
      more: 'mail.md',
    }),
    clientId: variable('SMTP_OAUTH_CLIENT_ID', textVariable('an id'), {
      meaning: 'Client id for token requests.',
      more: 'mail.md',
    }),
    clientSecret: variable('SMTP_OAUTH_CLIENT_SECRET', textVariable('a secret'), {
      secret: true,
      meaning: 'Client secret.',
      more: 'mail.md',
    }),
    refreshToken: variable('SMTP_OAUTH_REFRESH_TOKEN', textVariable('a token'), {
      defaultText: 'the client itself has access (`client_credentials`)',
      secret: true,
      meaning: 'Refresh token of the user who authorized access.',
      more: 'mail.md',
    }),
    scope: variable('SMTP_OAUTH_SCOPE', textVariable('scopes'), {
      meaning: 'Requested scope.',
      example: 'https://outlook.office365.com/.default',
      more: 'mail.md',
    }),
  },
  mailFrom: variable('MAIL_FROM', textVariable('`Name <address>`, or an address'), {
    default: 'Fabula <fabula@localhost>',
    meaning: 'Default sender, for actions that set none.',
  }),
  mailFromAllow: variable('MAIL_FROM_ALLOW', list(allowedSender, 'addresses, domains, or * for any sender'), {
    default: [],
    defaultText: '`MAIL_FROM` alone',
    meaning: 'Additional senders that actions may use.',
    more: '../build/agents.md#email',
  }),
  mailMaxRecipients: variable('MAIL_MAX_RECIPIENTS', integerVariable({ zero: 'no limit' }), {
    default: 100,
    unit: 'recipients',
    meaning: 'Maximum recipients of one mail.',
  }),
};
