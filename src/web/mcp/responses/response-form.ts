import Joi from 'joi';
import type { JsonObject } from '../../../platform/json.js';
import type { JsonMembers } from '../../../platform/json/json-members.js';
import { valid } from '../../../platform/validation/validate.js';
import { Unprocessable } from '../../../platform/errors.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { type ResponseShape, propertiesOf, unknownIn } from './response-shape.js';
import { readSmall } from '../small-arguments.js';
import { written } from '../split-message.js';
import { type ResponseForm, CHARACTERS } from './written-response.js';

/** So many names are told to whoever names one that is not there. */
const MAX_TOLD = 60;

const MAX_FIELDS = 50;
const MAX_FIELD_CHARACTERS = 200;

/** The arguments of each tool that say what its response is to be like, as JSON Schema. */
export const FORM_PROPERTIES: JsonObject = {
  fields: {
    type: 'array',
    items: { type: 'string' },
    description: 'Only these fields: `name`, `payload.id`',
  },
  max_chars: {
    type: 'integer',
    minimum: CHARACTERS.least,
    maximum: CHARACTERS.most,
    default: CHARACTERS.unlessAsked,
  },
};

const NAMES = Object.keys(FORM_PROPERTIES);

const schema = Joi.object<{ fields?: string[] | null; max_chars: number }>({
  fields: Joi.array().items(Joi.string().max(MAX_FIELD_CHARACTERS)).min(1).max(MAX_FIELDS).allow(null),
  max_chars: Joi.number()
    .integer()
    .min(CHARACTERS.least)
    .max(CHARACTERS.most)
    .empty(null)
    .default(CHARACTERS.unlessAsked),
});

/**
 * Takes the arguments that say what the response is to be like out of those for the API.
 * @throws Unprocessable if they are wrong; PayloadTooLarge.
 */
export function takeForm(
  shape: ResponseShape,
  given: JsonMembers,
): { form: ResponseForm; rest: JsonMembers } {
  const members = [...given.texts];
  const own = readSmall(written(members.filter(([name]) => NAMES.includes(name))));
  const { fields, max_chars: maxCharacters } = valid(schema, own);
  const texts = new Map(members.filter(([name]) => !NAMES.includes(name)));
  const paths = fields === undefined || fields === null ? undefined : fieldPaths(shape, fields);
  return { form: { paths, maxCharacters }, rest: { ...given, texts } };
}

/**
 * Returns the places of a response that the fields name, as paths from its top: `events.payload`. A field is a name of the
 * response, or of each entry of its list. The place of a page in its list is always among them.
 * @throws Unprocessable naming each field that the response cannot have.
 */
export function fieldPaths({ schema, list }: ResponseShape, fields: readonly string[]): string[] {
  const top = propertiesOf(schema);
  const isOfEntry = (field: string) => list !== undefined && !Object.hasOwn(top, field.split('.')[0] ?? '');
  const paths = fields.map((field) => (isOfEntry(field) ? `${list}.${field}` : field));
  const problems = paths.flatMap((path, index) => {
    const unknown = unknownIn(schema, path);
    if (unknown === undefined) return [];
    const told = unknown.known.slice(0, MAX_TOLD).join(', ');
    return [
      {
        message: `"fields" contains ${stringifyJson(fields[index])}, but there is no ${stringifyJson(unknown.name)}. Available: ${told}`,
        details: 'fields',
      },
    ];
  });
  if (problems.length > 0) throw new Unprocessable(problems);
  return list === undefined ? paths : [...paths, 'meta'];
}
