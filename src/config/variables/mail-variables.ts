import Joi from 'joi';
import { integer, list, text, url } from '../value-types.js';
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
  mailFrom: variable('MAIL_FROM', text('`Name <address>`, or an address'), {
    default: 'Fabula <fabula@localhost>',
    meaning: 'Sender of mails whose action names none.',
  }),
  mailFromAllow: variable('MAIL_FROM_ALLOW', list(allowedSender, 'addresses, domains, or * for any sender'), {
    default: [],
    defaultText: '`MAIL_FROM` alone',
    meaning: 'Further senders that actions may name.',
    more: 'agents.md#email',
  }),
  mailMaxRecipients: variable('MAIL_MAX_RECIPIENTS', integer({ zero: 'no limit' }), {
    default: 100,
    unit: 'recipients',
    meaning: 'Most recipients of one mail.',
  }),
};
