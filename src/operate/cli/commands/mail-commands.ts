import { type Command, InvalidArgumentError } from 'commander';
import type Joi from 'joi';
import { allowedSender } from '../../../config/face.js';
import {
  mailFromField,
  type MailOauth,
  type MailSettingsView,
  oauthOf,
  presentOauth,
  smtpOauthField,
  smtpUrlField,
} from '../../../data/face.js';
import { Unprocessable } from '../../../platform/errors.js';
import { type Cli, table } from '../cli.js';
import { readInputFile } from '../cli-io.js';
import { resolveTenant } from '../stores/cli-services.js';

interface MailOptions {
  smtpUrlFile?: string;
  smtpOauthFile?: string;
  shared?: boolean;
  mailFrom?: string;
  allow?: string[];
}

/** `tenant mail`: the mail server and the senders of a tenant. */
export function addMailCommand(tenant: Command, cli: Cli): void {
  tenant
    .command('mail')
    .description('set the mail server and the senders of a tenant; the password is not shown')
    .argument('[tenant]', 'id or name (default: the only one)')
    .option(
      '--smtp-url-file <file>',
      'file containing smtps://user:password@host:port, or - for standard input',
    )
    .option('--smtp-oauth-file <file>', 'file containing the smtp_oauth JSON, to sign in with tokens')
    .option('--shared', 'remove the mail server of the tenant and use the shared one')
    .option('--mail-from <sender>', 'default sender, for actions that set none', readField(mailFromField))
    .option(
      '--allow <sender...>',
      'additional senders that actions may use: addresses or *@domain',
      readSender,
    )
    .action(
      cli.writeAction('tenant.mail_settings', async (services, options: MailOptions, [wanted]: string[]) => {
        const { id } = await resolveTenant(services, wanted);
        const smtpUrl = options.shared === true ? null : await readUrl(cli, options.smtpUrlFile);
        const smtpOauth = await readOauth(cli, options.smtpOauthFile);
        const change = { smtpUrl, smtpOauth, mailFrom: options.mailFrom, mailFromAllow: options.allow };
        const settings = await services.mailSettings.set(id, change);
        return { ...responseOf(settings), wrote: [{ tenantId: id }] };
      }),
    );
}

async function readUrl(cli: Cli, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return checked(smtpUrlField.label('the address'), (await readInputFile(cli.io, file)).trim());
}

/** @throws Unprocessable for what is no access; it repeats no secret. */
async function readOauth(cli: Cli, file: string | undefined): Promise<MailOauth | undefined> {
  if (file === undefined) return undefined;
  return oauthOf(checked(smtpOauthField, objectIn(await readInputFile(cli.io, file))));
}

/** Returns what stands in a file if it is valid. @throws Unprocessable, which is printed. */
function checked<Value>(schema: Joi.Schema<Value>, given: unknown): Value {
  const { error, value } = schema.validate(given, { errors: { wrap: { label: false } } });
  if (error !== undefined) throw new Unprocessable(error.message);
  return value;
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Unprocessable('The --smtp-oauth-file is not valid JSON');
  }
}

function readSender(text: string, before: string[] = []): string[] {
  return [...before, readField(allowedSender)(text)];
}

/** Returns a parser that throws InvalidArgumentError, which commander prints. */
function readField(schema: Joi.StringSchema): (text: string) => string {
  return (text) => {
    const { error } = schema.validate(text, { errors: { wrap: { label: false } } });
    if (error !== undefined) throw new InvalidArgumentError(error.message);
    return text;
  };
}

function responseOf(settings: MailSettingsView) {
  const { smtpServer, smtpUser, smtpOauth, mailFrom, mailFromAllow } = settings;
  const json = {
    smtp_server: smtpServer,
    smtp_user: smtpUser,
    smtp_oauth: smtpOauth && presentOauth(smtpOauth),
    mail_from: mailFrom,
    mail_from_allow: mailFromAllow,
  };
  const rows = [[smtpServer ?? 'of the installation', smtpUser, mailFrom, mailFromAllow.join(', ')]];
  return { json, text: table(['server', 'user', 'from', 'allowed senders'], rows) };
}
