import { Unprocessable } from '../../../platform/errors.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { type AnswerShape, propertiesOf, unknownIn } from './answer-shape.js';

/** So many names are told to whoever names one that is not there. */
const MAX_TOLD = 60;

/**
 * Returns the places of an answer that the fields name, as paths from its top: `events.payload`. A field is a name of the
 * answer, or of each entry of its list. The place of a page in its list is always among them.
 * @throws Unprocessable naming each field that the answer cannot have.
 */
export function fieldPaths({ schema, list }: AnswerShape, fields: readonly string[]): string[] {
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
