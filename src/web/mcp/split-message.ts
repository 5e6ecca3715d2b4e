import { BadRequest, PayloadTooLarge } from '../../platform/errors.js';
import { decodeJson, type RawBody, readJsonBody } from '../../platform/http/body/json-body-reader.js';
import { isJsonObject, type JsonObject } from '../../platform/json.js';
import { type JsonMembers, jsonMembers } from '../../platform/json/json-members.js';

/** Far more than an envelope needs: the rest of a message is the arguments of a tool. */
const MAX_ENVELOPE_CHARACTERS = 64 * 1024;
const MAX_ENVELOPE_VALUES = 1_000;
/** More than any tool has. */
const MAX_ARGUMENTS = 500;
const MAX_MEMBERS = 100;

/** A JSON-RPC message whose arguments have not been read. */
export interface SplitMessage {
  /** With empty arguments, if it has some. */
  envelope: JsonObject;
  /** The arguments of a tool; undefined if there are none, or if they are not an object. */
  given: JsonMembers | undefined;
}

/**
 * Reads a message up to the arguments of a tool, which are only split: what they may cost depends on the tool and on the
 * rights of the sender. Pure, so that a thread can run it.
 * @throws as `readJsonBody`; BadRequest for a batch; PayloadTooLarge for an envelope that is too large.
 */
export function splitMessage({ bytes, contentType }: RawBody): SplitMessage {
  const text = decodeJson(bytes);
  const message = jsonMembers(text, MAX_MEMBERS)?.texts;
  const params = jsonMembers(message?.get('params') ?? '', MAX_MEMBERS)?.texts;
  const given = jsonMembers(params?.get('arguments') ?? '', MAX_ARGUMENTS);
  if (message === undefined || params === undefined || given === undefined) {
    return { envelope: readEnvelope(text, contentType), given: undefined };
  }
  const ownParams = written(new Map(params).set('arguments', '{}'));
  return { envelope: readEnvelope(written(new Map(message).set('params', ownParams)), contentType), given };
}

function readEnvelope(text: string, contentType: string | undefined): JsonObject {
  if (text.length > MAX_ENVELOPE_CHARACTERS) {
    throw new PayloadTooLarge(
      `A message can have at most ${MAX_ENVELOPE_CHARACTERS} characters besides the tool arguments`,
    );
  }
  const { value, problems } = readJsonBody({ bytes: Buffer.from(text), contentType }, MAX_ENVELOPE_VALUES);
  if (problems.length > 0) throw new BadRequest(problems);
  if (!isJsonObject(value)) throw new BadRequest('The body must be one JSON-RPC message');
  return value;
}

/** Returns the JSON text of an object with these members. */
export function written(members: Iterable<readonly [string, string]>): string {
  return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}
