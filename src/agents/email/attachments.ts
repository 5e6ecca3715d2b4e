import { PermanentJobError } from '../../platform/errors.js';
import { isJsonObject, type JsonValue } from '../../platform/json.js';
import type { MailAttachment } from '../../platform/outbound/mail/mail.js';
import { mediaTypeWithParameters } from '../../platform/headers/content-type.js';
import { oneLine, readableText } from '../../platform/text/whole-text.js';
import { decodeBase64 } from '../base64.js';
import { jsonListOf, readJson } from '../json-text.js';
import { optionText } from '../options/options.js';

/** Maximum size of all attachments of one mail; most mail servers refuse more. */
const MAX_BYTES = 25 * 1024 * 1024;

const CONTENT_ID = /^[!-;=?-~]{1,200}$/;

/**
 * Reads the attachments of an option: a list of `{filename, base64encodedcontents, content_type, content_id}`, or a single
 * one.
 * @throws PermanentJobError naming the invalid attachment.
 */
export function readAttachments(value: JsonValue | undefined): MailAttachment[] {
  const list = jsonListOf(value) ?? (isBlank(value) ? [] : [value]);
  const attachments = list.map((item, index) => readAttachment(item, `attachments[${index}]`));
  const bytes = attachments.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes > MAX_BYTES) throw new PermanentJobError(`attachments: together larger than ${MAX_BYTES} bytes`);
  return attachments;
}

function isBlank(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}

function readAttachment(item: JsonValue | undefined, place: string): MailAttachment {
  const attachment = typeof item === 'string' ? readJson(item) : item;
  if (!isJsonObject(attachment)) {
    throw new PermanentJobError(`${place} must be an object with filename and base64encodedcontents`);
  }
  const content = decodeBase64(
    optionText(attachment.base64encodedcontents),
    `${place}.base64encodedcontents`,
  );
  // A text that is no media type, such as `auto`, means: derive the type from the file name.
  const contentType = mediaTypeWithParameters(optionText(attachment.content_type));
  const contentId = optionText(attachment.content_id)
    .trim()
    .replace(/^<(.*)>$/, '$1');
  if (contentId !== '' && !CONTENT_ID.test(contentId)) {
    throw new PermanentJobError(
      `${place}.content_id must be printable ASCII without spaces and angle brackets`,
    );
  }
  return {
    filename: oneLine(readableText(optionText(attachment.filename))) || 'attachment',
    content,
    ...(contentType === undefined ? {} : { contentType }),
    ...(contentId === '' ? {} : { contentId }),
  };
}
