import Joi from 'joi';
import { commaList } from '../platform/validation/variable-schemas.js';

/** How the mails of stories leave, beside the address of the mail server (decision 0032). */
export interface MailSettings {
  /** `Name <address>` or an address: the sender of mails whose action names none. */
  mailFrom: string;
  /** Senders that actions may name besides: addresses, `*@domain`, domains, or `*` for any. */
  mailFromAllow: string[];
  /** Recipients of one mail; 0 = no limit. */
  mailMaxRecipients: number;
}

export interface MailEnvironment {
  MAIL_FROM: string;
  MAIL_FROM_ALLOW: string[];
  MAIL_MAX_RECIPIENTS: number;
}

/** An address, `*@domain`, a domain, or `*`. */
export const allowedSender = Joi.string()
  .max(320)
  .pattern(/^(?:\*|(?:[^\s@,<>]+@)?[^\s@,<>*]+)$/);

/** The variables, as the environment is checked. */
export const mailVariables: Record<keyof MailEnvironment, Joi.Schema> = {
  MAIL_FROM: Joi.string().default('Fabula <fabula@localhost>'),
  MAIL_FROM_ALLOW: commaList(allowedSender, 'expected addresses, domains, or * for any sender').default([]),
  MAIL_MAX_RECIPIENTS: Joi.number().integer().min(0).default(100),
};

/** The settings that the checked environment asks for. */
export function mailSettings(env: MailEnvironment): MailSettings {
  return {
    mailFrom: env.MAIL_FROM,
    mailFromAllow: env.MAIL_FROM_ALLOW,
    mailMaxRecipients: env.MAIL_MAX_RECIPIENTS,
  };
}
