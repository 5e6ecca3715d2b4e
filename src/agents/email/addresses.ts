import type { JsonValue } from '../../platform/json.js';
import type { MailAddress } from '../../platform/outbound/mail.js';
import { jsonListOf } from '../json-text.js';
import { textOf } from '../options.js';

const MAX_ADDRESS_LENGTH = 254;
const ADDRESS = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/;

/** The addresses of an option, and the texts in it that are not addresses. */
export interface ParsedAddresses {
  addresses: MailAddress[];
  malformed: string[];
}

/**
 * Parses the addresses in a list or a text: `a@example.com, "Doe, Jane" <jane@example.com>`. Commas, semicolons and line
 * ends separate addresses. Duplicates are removed.
 */
export function parseAddresses(value: JsonValue | undefined): ParsedAddresses {
  const texts = (jsonListOf(value) ?? [value]).flatMap((item) => (jsonListOf(item) ?? [item]).map(textOf));
  const found = new Map<string, MailAddress>();
  const malformed: string[] = [];
  for (const part of texts.flatMap(splitAddresses)) {
    const address = parseAddress(part);
    if (address === undefined) malformed.push(part);
    else if (!found.has(address.address.toLowerCase())) found.set(address.address.toLowerCase(), address);
  }
  return { addresses: [...found.values()], malformed };
}

/** Splits at separators outside of quotes and angle brackets. */
function splitAddresses(text: string): string[] {
  const parts = text.match(/(?:"[^"]*"|<[^>]*>|[^,;\r\n])+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function parseAddress(text: string): MailAddress | undefined {
  const open = text.endsWith('>') ? text.lastIndexOf('<') : -1;
  const address = open === -1 ? text : text.slice(open + 1, -1).trim();
  if (address.length > MAX_ADDRESS_LENGTH || !ADDRESS.test(address)) return undefined;
  const name = open === -1 ? '' : text.slice(0, open).trim().replace(/^"|"$/g, '');
  return name === '' ? { address } : { name, address };
}
