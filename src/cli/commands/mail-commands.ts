import { type Command, InvalidArgumentError } from 'commander';
import type Joi from 'joi';
import { allowedSender } from '../../config/variables/mail-variables.js';
import { mailFromField, smtpUrlField } from '../../mails/mail-settings-fields.js';
import type { MailSettingsView } from '../../mails/mail-settings-service.js';
import { type Cli, table } from '../cli.js';
import { readInput } from '../cli-io.js';
import { resolveTenant } from '../cli-services.js';

interface MailOptions {
  smtpUrlFile?: string;
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
    .option('--smtp-url-file <file>', 'file that holds smtps://user:password@host:port; -: standard input')
    .option('--shared', 'remove the mail server of the tenant and use the shared one')
    .option('--mail-from <sender>', 'sender of mails whose action names no sender', readField(mailFromField))
    .option('--allow <sender...>', 'other senders that actions may name: addresses, *@domain', readSender)
    .action(
      cli.writeAction('tenant.mail_settings', async (services, options: MailOptions, [wanted]: string[]) => {
        const { id } = await resolveTenant(services, wanted);
        const smtpUrl = options.shared === true ? null : await readUrl(cli, options.smtpUrlFile);
        const change = { smtpUrl, mailFrom: options.mailFrom, mailFromAllow: options.allow };
        const settings = await services.mailSettings.set(id, change);
        return { ...responseOf(settings), wrote: [{ tenantId: id }] };
      }),
    );
}

async function readUrl(cli: Cli, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return readField(smtpUrlField.label('the address'))((await readInput(cli.io, file)).trim());
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
  const { smtpServer, smtpUser, mailFrom, mailFromAllow } = settings;
  const json = {
    smtp_server: smtpServer,
    smtp_user: smtpUser,
    mail_from: mailFrom,
    mail_from_allow: mailFromAllow,
  };
  const rows = [[smtpServer ?? 'of the installation', smtpUser, mailFrom, mailFromAllow.join(', ')]];
  return { json, text: table(['server', 'user', 'from', 'allowed senders'], rows) };
}
