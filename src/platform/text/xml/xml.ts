import { messageOf } from '../../errors.js';
import type { JsonObject } from '../../json.js';
import { XmlError } from './xml-error.js';
import { XmlReader } from './xml-reader.js';

export { XmlError } from './xml-error.js';

/** Tags, attributes and references cost some microseconds each, and block the event loop. */
const MAX_MARKUP = 200_000;
const MAX_CHARACTERS = 10 * 1024 * 1024;
/** Limit of an error message: the parser may quote a name of any length. */
const MAX_MESSAGE_CHARACTERS = 200;

/**
 * Returns an XML document as an object, keyed by its root element; docs/use/webhooks.md has the table of how XML becomes JSON.
 * Text stays text: "0012" is not converted to a number. A document that declares entities is refused.
 * @throws XmlError
 */
export function parseXml(text: string): JsonObject {
  // White space before an XML declaration is an error of many senders.
  const document = text.replace(/^\uFEFF?[ \t\r\n]+|^\uFEFF/, '');
  if (document.length > MAX_CHARACTERS) {
    throw new XmlError(`longer than ${MAX_CHARACTERS} characters`, { tooLarge: true });
  }
  if (hasTooMuchMarkup(document)) {
    throw new XmlError(`more than ${MAX_MARKUP} tags, attributes and references`, { tooLarge: true });
  }
  try {
    // The parser keeps each carriage return by itself, with 32 bytes.
    return new XmlReader(MAX_MARKUP).read(document.replace(/\r(?:\n|(?!\u0085))/g, '\n'));
  } catch (error) {
    if (error instanceof XmlError) {
      throw new XmlError(shortened(error.message), { tooLarge: error.tooLarge, cause: error });
    }
    throw new XmlError(`not well-formed, ${faultText(messageOf(error))}`, { cause: error });
  }
}

/** `1:5: undefined entity.` → `line 1, column 5: undefined entity`. */
function faultText(message: string): string {
  return shortened(message.replace(/^(\d+):(\d+): /, 'line $1, column $2: ').replace(/\.$/, ''));
}

function shortened(message: string): string {
  return message.length > MAX_MESSAGE_CHARACTERS ? `${message.slice(0, MAX_MESSAGE_CHARACTERS)}…` : message;
}

const SPACE = 0x20;
const REFERENCE = 0x26;
const TAG = 0x3c;
const ATTRIBUTE = 0x3d;
const TAG_END = 0x3e;

/**
 * Counts markup: a tag by its `<`, an attribute by its `=` or, if malformed, only the white space before it, a reference by its `&`.
 */
function hasTooMuchMarkup(text: string): boolean {
  if (text.length <= MAX_MARKUP) return false;
  let count = 0;
  let inTag = false;
  let afterSpace = false;
  for (let index = 0; index < text.length && count <= MAX_MARKUP; index++) {
    const code = text.charCodeAt(index);
    const isSpace = code <= SPACE;
    if (code === TAG || code === REFERENCE) count += 1;
    else if (inTag && (code === ATTRIBUTE || (isSpace && !afterSpace))) count += 1;
    if (code === TAG) inTag = true;
    else if (code === TAG_END) inTag = false;
    afterSpace = isSpace;
  }
  return count > MAX_MARKUP;
}
