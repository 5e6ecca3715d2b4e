import { createHash } from 'node:crypto';
import Joi from 'joi';
import { PermanentJobError } from '../../platform/errors.js';
import type { JsonValue } from '../../platform/json.js';
import type { Mail, MailAddress } from '../../platform/outbound/mail/mail.js';
import { type AgentContext, defineAgent } from '../agent.js';
import { holdsHalf, oneLine, readableText } from '../../platform/text/whole-text.js';
import { KNOWN_NAMES } from '../options/option-rules.js';
import { isGiven, scalar, text } from '../options/options.js';
import { type ParsedAddresses, parseAddresses } from './addresses.js';
import { readAttachments } from './attachments.js';
import { htmlToText } from './html-text.js';
import { isHtml, textToHtml } from './mail-markup.js';
import { recipientsLeft, refusalsOf, settleRound } from './mail-round.js';

interface EmailOptions {
  recipients: JsonValue;
  cc?: JsonValue;
  bcc?: JsonValue;
  reply_to?: JsonValue;
  sender_name?: string;
  sender_address?: string;
  subject: string;
  body: string;
  attachments?: JsonValue;
}

/** Attachments of 25 MiB in base64, which takes a third more, with line ends and the rest of the mail. */
const MOST_CHARACTERS = 40 * 1024 * 1024;

const addresses = () =>
  Joi.alternatives(Joi.array().items(Joi.any()), Joi.string().allow('')).empty(Joi.valid(null));

const attachment = Joi.object({
  filename: Joi.any(),
  base64encodedcontents: Joi.any(),
  content_type: Joi.any(),
  content_id: Joi.any(),
})
  .unknown(true)
  .meta(KNOWN_NAMES);

/** Each attachment may also be the JSON text of one. */
const attachments = () =>
  Joi.alternatives(Joi.array().items(attachment, Joi.any()), attachment, Joi.string().allow('')).empty(
    Joi.valid(null),
  );

/** Sends one mail to all recipients (docs/build/agents.md, Email; spec §5.3). */
export const emailAgent = defineAgent<EmailOptions>({
  type: 'Agents::EmailAgent',
  queue: 'email',
  options: Joi.object({
    recipients: addresses().required(),
    cc: addresses(),
    bcc: addresses(),
    reply_to: addresses(),
    sender_name: scalar(),
    sender_address: scalar(),
    subject: text().default(''),
    body: text().default(''),
    attachments: attachments(),
  }).unknown(true),
  mostCharacters: MOST_CHARACTERS,
  checks: {
    recipients: (recipients, { cc, bcc }) => {
      if (!isGiven(cc) && !isGiven(bcc)) requireRecipients(parseAddresses(recipients));
    },
    attachments: readAttachments,
  },
  valueOptions: ['recipients', 'cc', 'bcc', 'reply_to', 'attachments'],
  async run(options, context) {
    const { mail, malformed, notReached } = await sendRound(options, context);
    const rejected = [...malformed, ...notReached];
    const recipients = mail.to.map(({ address }) => address).filter((address) => !rejected.includes(address));
    const payload = { recipients, subject: readableText(subjectOf(options)), message_id: mail.messageId };
    return { outputs: [{ payload: rejected.length === 0 ? payload : { ...payload, rejected } }] };
  },
});

interface Built {
  mail: Mail;
  malformed: string[];
}

/** Sends the mail to those who do not have it yet. @throws as `settleRound` and `Mailer.send`. */
async function sendRound(
  options: EmailOptions,
  context: AgentContext,
): Promise<Built & { notReached: string[] }> {
  let last: Built | undefined;
  const build = (opened: EmailOptions) => (last = mailOf(opened, context, quoterOf(options)));
  const sent = await context.mailer.send(options, build, context.signal()).catch((error: unknown) => {
    if (last === undefined) throw error;
    return { built: last, refused: refusalsOf(error), error };
  });
  return { ...sent.built, notReached: settleRound(sent.built.mail, sent, context) };
}

type AddressOptions = Pick<EmailOptions, 'recipients' | 'cc' | 'bcc' | 'reply_to'>;

/**
 * Returns a function that quotes a malformed address for a message: only a text that the options contain literally.
 * A credential may hold separators. Its pieces are replaced, because parts of a secret cannot be recognised later
 * (decision 0026).
 */
function quoterOf({ recipients, cc, bcc, reply_to: replies }: AddressOptions): (part: string) => string {
  const written = [recipients, cc, bcc, replies].flatMap((value) => parseAddresses(value).malformed);
  return (part) => (written.includes(part) ? part : '[credential]');
}

/** Builds the mail, and lists the malformed recipients; the other recipients still get the mail. */
function mailOf(options: EmailOptions, context: AgentContext, quote: (part: string) => string): Built {
  const [to, cc, bcc] = [
    parseAddresses(options.recipients),
    parseAddresses(options.cc),
    parseAddresses(options.bcc),
  ];
  const malformed = [...to.malformed, ...cc.malformed, ...bcc.malformed].map(quote);
  for (const part of malformed) context.log('error', `"${part}" is not a mail address`);
  requireRecipients({ addresses: [...to.addresses, ...cc.addresses, ...bcc.addresses], malformed });
  const written = readable(options.body, 'body', context);
  const body = isHtml(written)
    ? { html: written, text: htmlToText(written) }
    : { html: textToHtml(written), text: written };
  const mail: Mail = {
    messageId: messageIdOf(context.idempotencyKey),
    ...senderOf(options, context),
    to: to.addresses,
    cc: cc.addresses,
    bcc: bcc.addresses,
    replyTo: replyTo(options, context, quote),
    subject: readable(subjectOf(options), 'subject', context),
    ...body,
    attachments: readAttachments(options.attachments),
  };
  return { mail: { ...mail, left: recipientsLeft(mail, context) }, malformed };
}

function requireRecipients({ addresses, malformed }: ParsedAddresses): void {
  if (addresses.length > 0) return;
  throw new PermanentJobError(`recipients: no mail address${malformed.length > 0 ? ' that is valid' : ''}`);
}

function subjectOf({ subject }: Pick<EmailOptions, 'subject'>): string {
  return oneLine(subject);
}

function senderOf({ sender_name: name, sender_address: address }: EmailOptions, context: AgentContext) {
  const [parsed] = parseAddresses(address).addresses;
  return {
    ...(name === undefined ? {} : { senderName: oneLine(readable(name, 'sender_name', context)) }),
    ...(parsed === undefined ? {} : { senderAddress: parsed.address }),
  };
}

function replyTo(
  options: EmailOptions,
  context: AgentContext,
  quote: (part: string) => string,
): MailAddress[] {
  const { addresses, malformed } = parseAddresses(options.reply_to);
  for (const part of malformed) context.log('warn', `reply_to: "${quote(part)}" is not a mail address`);
  return addresses;
}

/** A mail holds text alone: bytes that are no text are read as windows-1252 (notes/formats.md, Charsets). */
function readable(text: string, option: string, context: AgentContext): string {
  if (!holdsHalf(text)) return text;
  context.log('warn', `${option} contains bytes that are not valid text; they are sent as windows-1252`);
  return readableText(text);
}

/** The same for all attempts of a delivery, so that the receiving side can detect duplicates. */
function messageIdOf(idempotencyKey: string): string {
  const plain = /^[A-Za-z0-9._-]{1,200}$/.test(idempotencyKey)
    ? idempotencyKey
    : createHash('sha256').update(idempotencyKey).digest('hex');
  return `<${plain}@fabula>`;
}
