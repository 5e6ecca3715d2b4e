import type { JsonValue } from '../../platform/json.js';
import type { MailAddress } from '../../platform/outbound/mail/mail.js';
import { oneLine, readableText } from '../../platform/text/whole-text.js';
import { jsonListOf } from '../json-text.js';
import { optionText } from '../options/options.js';

const MAX_ADDRESS_LENGTH = 254;
/** An address of RFC 5321: its local part may be quoted, its domain an address literal. */
const ADDRESS =
  /^(?:[^\s@<>()[\],;:"\\]+|"(?:[^"\\\r\n]|\\[^\r\n])+")@(?:[^\s@<>()[\],;:"\\]+|\[(?:\d{1,3}(?:\.\d{1,3}){3}|IPv6:[\da-f:.]+)\])$/i;

/** The addresses of an option, and the texts in it that are not addresses. */
export interface ParsedAddresses {
  addresses: MailAddress[];
  malformed: string[];
}

/**
 * Parses the addresses in a list or a text: `a@example.com, "Doe, Jane" <jane@example.com>`. Commas, semicolons and line
 * ends separate addresses. Comments and groups (RFC 5322) are read too. Duplicates are removed.
 */
export function parseAddresses(value: JsonValue | undefined): ParsedAddresses {
  const texts = (jsonListOf(value) ?? [value]).flatMap((item) =>
    (jsonListOf(item) ?? [item]).map(optionText),
  );
  const found = new Map<string, MailAddress>();
  const malformed: string[] = [];
  for (const part of texts.flatMap(splitAddresses)) {
    const address = parseAddress(part);
    if (address === undefined) malformed.push(part);
    else if (!found.has(address.address.toLowerCase())) found.set(address.address.toLowerCase(), address);
  }
  return { addresses: [...found.values()], malformed };
}

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const COMMENT = String.raw`\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)`;
const PART = new RegExp(String.raw`(?:${QUOTED}|${COMMENT}|<[^>]*>|[^,;\r\n])+`, 'g');
/** `Name: a@example.com, b@example.com;` with the list between as its group. */
const GROUP = new RegExp(String.raw`(?:${QUOTED}|[^,;:<>()@"\r\n]{1,200}):([^;\r\n]*);`, 'g');

/** Splits at separators outside of quotes, comments and angle brackets. */
function splitAddresses(text: string): string[] {
  const flat = text.includes(';') ? text.replace(GROUP, (_, members: string) => `${members},`) : text;
  const parts = flat.match(PART) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

const TOKEN = new RegExp(`(${QUOTED})|(${COMMENT})`, 'g');

function parseAddress(part: string): MailAddress | undefined {
  const comments: string[] = [];
  const text = part.replace(TOKEN, (_, quoted: string | undefined, comment = '') => {
    if (quoted === undefined) comments.push(comment.slice(1, -1));
    return quoted ?? ' ';
  });
  const bare = text.trim();
  const open = bare.endsWith('>') ? bare.lastIndexOf('<') : -1;
  const address = open === -1 ? bare : bare.slice(open + 1, -1).trim();
  if (address.length > MAX_ADDRESS_LENGTH || !ADDRESS.test(address)) return undefined;
  const name = oneLine(readableText(nameOf(open === -1 ? (comments[0] ?? '') : bare.slice(0, open))));
  return name === '' ? { address } : { name, address };
}

function nameOf(text: string): string {
  const [, quoted] = /^\s*"(.*)"\s*$/s.exec(text) ?? [];
  return (quoted ?? text).replace(/\\(.)/g, '$1').trim();
}
