import { BadRequest, PayloadTooLarge } from '../../../platform/errors.js';
import type { JsonObject } from '../../../platform/json.js';
import { decodeDocument } from '../../../platform/text/charsets/document-charset.js';
import { parseXml, XmlError } from '../../../platform/text/xml/xml.js';

/**
 * Parses an XML body into an object; `src/platform/text/xml/xml.ts` describes its shape.
 * @throws BadRequest when it is not well-formed, nested too deep, or holds what the parser refuses;
 * PayloadTooLarge for too many tags and attributes.
 */
export function parseXmlBody(bytes: Buffer, charset: string | undefined): JsonObject {
  const text = decodeDocument(bytes, { mediaType: 'application/xml', charset });
  if (text === undefined) throw new BadRequest('The request body is declared as XML but is not valid text');
  try {
    return parseXml(text);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    const message = `The XML body was rejected: ${error.message}`;
    throw error.tooLarge ? new PayloadTooLarge(message) : new BadRequest(message, { cause: error });
  }
}
