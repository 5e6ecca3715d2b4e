import Joi from 'joi';

const MAX_CHARACTERS = 500;
const STEP = /^(?:([^.[\]"\\]+)|\[(\d{1,9})\])(?:\.(?=[^.[\]])|(?=\[)|$)/;

/**
 * Returns a path in a payload, such as `body.alerts[0].id`, as a JSON path of the database; undefined if it is none.
 * Keys with dots, brackets, quotes or backslashes cannot be named.
 */
export function databasePath(path: string): string | undefined {
  let rest = path;
  let made = '$';
  while (rest !== '') {
    const [step, key, index] = STEP.exec(rest) ?? [];
    if (step === undefined) return undefined;
    made += key === undefined ? `[${index}]` : `."${key}"`;
    rest = rest.slice(step.length);
  }
  return made === '$' ? undefined : made;
}

/** A path in a query, read as the JSON path of the database. */
export const pathField = Joi.string()
  .max(MAX_CHARACTERS)
  .custom((path: string, helpers) => databasePath(path) ?? helpers.error('path.form'))
  .messages({ 'path.form': '{{#label}} must be a path such as body.alerts[0].id' })
  .description('Path of the value in an event payload: `body.alerts[0].id`');
