import express, { type Request, type RequestHandler, type Response } from 'express';
import { BadRequest, messageOf, type Problem, UnsupportedMediaType } from '../errors.js';
import { takeRefusedKeys } from './refused-keys.js';

/** JSON nested deeper than this is an attack on recursive code, not data. */
const MAX_DEPTH = 500;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/i;

export interface ReadBody {
  /** Undefined when there was none. Without what the problems name. */
  value: unknown;
  /** One for each `__proto__` key. */
  problems: Problem[];
}

/** Reads a request's body as JSON. */
export type BodyReader = (req: Request, res: Response) => Promise<ReadBody>;

/**
 * A reader for bodies of at most `limitBytes` (after decompression).
 * It throws PayloadTooLarge-like errors of the body parser (413), UnsupportedMediaType for a body that is not
 * labelled as JSON, and BadRequest for one that is not JSON or not UTF-8.
 */
export function createBodyReader(limitBytes: number): BodyReader {
  const raw = express.raw({ type: () => true, limit: limitBytes });
  return async (req, res) => {
    await run(raw, req, res);
    const bytes: unknown = req.body;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) return { value: undefined, problems: [] };
    checkType(req.get('content-type'));
    const text = decode(bytes);
    const value = parse(text);
    return { value, problems: takeRefusedKeys(text, value) };
  };
}

function run(handler: RequestHandler, req: Request, res: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void handler(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
}

/** A body without a type is taken for JSON: there is nothing else it could be. */
function checkType(header: string | undefined): void {
  if (header === undefined) return;
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim());
  if (!JSON_TYPE.test(type)) {
    throw new UnsupportedMediaType('The body must be JSON, with content-type application/json');
  }
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length);
  if (charset !== undefined && !/^"?utf-?8"?$/i.test(charset)) {
    throw new BadRequest('The body must be encoded in UTF-8');
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new BadRequest('The body must be encoded in UTF-8', { cause });
  }
}

function parse(text: string): unknown {
  if (isTooDeep(text)) throw new BadRequest(`The body is nested deeper than ${MAX_DEPTH} levels`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BadRequest(`The body is not valid JSON: ${messageOf(cause)}`, { cause });
  }
}

/** Whether brackets outside of texts nest too deeply. */
function isTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') quoted = !quoted;
    else if (quoted && character === '\\') index += 1;
    else if (!quoted && (character === '[' || character === '{')) depth += 1;
    else if (!quoted && (character === ']' || character === '}')) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
