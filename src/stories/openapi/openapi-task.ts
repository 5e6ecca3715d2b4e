import { Unprocessable } from '../../platform/errors.js';
import { type OpenapiDocument, readOpenapiDocument } from './imported-document.js';
import { listOperations, type OpenapiListing } from './openapi-operations.js';
import { type OpenapiRequest, requestOfOperation, type WantedOperation } from './openapi-request.js';

/** The event loop writes the answer. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** A document as it came. */
export interface OpenapiSource {
  content: string | Uint8Array;
  address: string | undefined;
}

/** For `TASKS`: lists the operations of a document. */
export function listOpenapiInThread(work: {
  source: OpenapiSource;
  search: string;
  limit: number;
}): OpenapiListing {
  return within(work.source, (document) => listOperations(document, work));
}

/** For `TASKS`: makes an action of an operation of a document. */
export function importOpenapiInThread(work: {
  source: OpenapiSource;
  wanted: WantedOperation;
}): OpenapiRequest {
  return within(work.source, (document) => requestOfOperation(document, work.wanted));
}

function within<Result>(
  { content, address }: OpenapiSource,
  work: (document: OpenapiDocument) => Result,
): Result {
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  const result = work(readOpenapiDocument(text, address));
  if (JSON.stringify(result).length > MOST_CHARACTERS) {
    throw new Unprocessable([{ message: 'The texts and examples of the document are too large' }]);
  }
  return result;
}
