import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { messageOf } from '../errors.js';
import { isJsonObject, type JsonObject } from '../json.js';
import { takeLongTexts, withLongTexts } from './xml-long-texts.js';

const MAX_NESTED_TAGS = 200;
/** Tags, attributes and references cost some microseconds each, and block the event loop. */
const MAX_MARKUP = 200_000;
/** A shorter document cannot contain a text long enough to matter. */
const SHORT_DOCUMENT = 16 * 1024;
const MAX_CHARACTERS = 10 * 1024 * 1024;
/** Limit of an error message: the parser may quote the whole document. */
const MAX_MESSAGE_CHARACTERS = 200;

/**
 * Attributes become keys beside the child elements, text beside either becomes `#text`, repeated elements become a
 * list. Text stays text: "0012" is not converted to a number.
 */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  trimValues: true,
  // Also required to decode numeric references such as `&#65;`.
  htmlEntities: true,
  maxNestedTags: MAX_NESTED_TAGS,
});

/** The text is not well-formed XML, or exceeds a limit; the message says why. */
export class XmlError extends Error {
  /** The text is too long, or has too many tags and attributes. */
  readonly tooLarge: boolean;

  constructor(message: string, options: { tooLarge?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'XmlError';
    this.tooLarge = options.tooLarge ?? false;
  }
}

/**
 * Returns an XML document as an object, keyed by its root element. Declared entities are limited, external ones are
 * refused.
 * @throws XmlError
 */
export function parseXml(text: string): JsonObject {
  const document = text.replace(/^\uFEFF/, '').trim();
  if (document.length > MAX_CHARACTERS) {
    throw new XmlError(`longer than ${MAX_CHARACTERS} characters`, { tooLarge: true });
  }
  if (hasTooMuchMarkup(document)) {
    throw new XmlError(`more than ${MAX_MARKUP} tags, attributes and references`, { tooLarge: true });
  }
  const short = document.length > SHORT_DOCUMENT ? takeLongTexts(document) : { document, texts: [] };
  if (short === undefined)
    throw new XmlError('a tag or a document type in it is too long', { tooLarge: true });
  // The parser itself is lenient: it would accept `<a><b></a>`.
  const verdict = XMLValidator.validate(short.document);
  if (verdict !== true) {
    throw new XmlError(`not well-formed, ${faultText(verdict.err)}`);
  }
  return withLongTexts(parse(short.document), short.texts) as JsonObject;
}

function parse(document: string): JsonObject {
  let parsed: unknown;
  try {
    parsed = parser.parse(document);
  } catch (error) {
    // `[SECURITY] …`
    throw new XmlError(shortened(messageOf(error).replace(/^\[\w+\] /, '')), { cause: error });
  }
  if (!isJsonObject(parsed)) throw new XmlError('there is no element in it');
  return parsed;
}

/** For some faults the parser gives no column, and quotes all open tags. */
function faultText({ msg, line, col }: { msg: string; line: number; col?: number }): string {
  const place = col === undefined ? `line ${line}` : `line ${line}, column ${col}`;
  return `${place}: ${msg.startsWith("Invalid '[") ? 'tags are not closed' : shortened(msg)}`;
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
    if (code === TAG || code === REFERENCE || code === ATTRIBUTE) count += 1;
    else if (inTag && isSpace && !afterSpace) count += 1;
    if (code === TAG) inTag = true;
    else if (code === TAG_END) inTag = false;
    afterSpace = isSpace;
  }
  return count > MAX_MARKUP;
}
