import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { messageOf } from '../errors.js';
import { isJsonObject, type JsonObject } from '../json.js';

const MAX_NESTED_TAGS = 200;
/** Tags and attributes cost some microseconds each, during which nobody else is served. */
const MAX_MARKUP = 200_000;

/**
 * Attributes become keys beside the child elements, text beside either is `#text`; repeated elements are a
 * list. Text stays text: "0012" is no number.
 */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  trimValues: true,
  // Also what makes the parser decode numeric references such as `&#65;`.
  htmlEntities: true,
  maxNestedTags: MAX_NESTED_TAGS,
});

/** The text is no XML document, or one that is not read; the message says why. */
export class XmlError extends Error {
  /** It has more tags and attributes than are read. */
  readonly tooLarge: boolean;

  constructor(message: string, options: { tooLarge?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'XmlError';
    this.tooLarge = options.tooLarge ?? false;
  }
}

/**
 * The object of an XML document, keyed by its root element. Entities that a document declares are bounded,
 * external ones refused.
 * @throws XmlError
 */
export function parseXml(text: string): JsonObject {
  const document = text.replace(/^\uFEFF/, '').trim();
  if (hasTooMuchMarkup(document)) {
    throw new XmlError(`more than ${MAX_MARKUP} tags and attributes`, { tooLarge: true });
  }
  // The parser itself is lenient: it would take `<a><b></a>`.
  const verdict = XMLValidator.validate(document);
  if (verdict !== true) {
    const { msg, line, col } = verdict.err;
    throw new XmlError(`not well-formed, line ${line}, column ${col}: ${msg}`);
  }
  return parse(document);
}

function parse(document: string): JsonObject {
  let parsed: unknown;
  try {
    parsed = parser.parse(document);
  } catch (error) {
    throw new XmlError(messageOf(error), { cause: error });
  }
  if (!isJsonObject(parsed)) throw new XmlError('there is no element in it');
  return parsed;
}

/** Counts `<` and `=`: every tag has the one, every attribute the other. */
function hasTooMuchMarkup(text: string): boolean {
  if (text.length <= MAX_MARKUP) return false;
  let count = 0;
  for (let index = 0; index < text.length && count <= MAX_MARKUP; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x3c || code === 0x3d) count += 1;
  }
  return count > MAX_MARKUP;
}
