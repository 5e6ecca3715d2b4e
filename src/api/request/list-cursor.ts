import Joi from 'joi';
import type { Cursor } from '../../platform/mysql/statements/newest-page.js';

const FORMS = { time: /^(?<time>\d{1,14})-(?<id>\d{1,15})$/, id: /^(?<id>\d{1,15})$/ };

/**
 * The key of the query schema of a list that grows at its beginning: `form` is its order, newest first (spec §1.7).
 * A page that begins with a place, and not with a number of rows, has nothing that the page before had.
 */
export function cursorKey(form: keyof typeof FORMS) {
  const cursor = Joi.string()
    .custom((text: string, helpers) => readCursor(text, form) ?? helpers.error('cursor.form'))
    .messages({
      'cursor.form': '{{#label}} must be taken from `next_page` of the previous page of this list',
    })
    .description(
      'Start of the page, from `next_page`: no duplicates, even if items are added or deleted. `page` is then only its number',
    );
  return { cursor };
}

/**
 * Restricts a cursor to the order of the list that has places: `newest` must allow the parameter `name`, and its absence if
 * that means newest first.
 */
export function cursorOnlyIf(cursor: Joi.Schema, name: string, newest: Joi.Schema): Joi.Schema {
  const message = `{{#label}} cannot be combined with this "${name}", because it requires newest-first order. Use "page" instead`;
  return cursor.when(name, { is: newest, otherwise: Joi.forbidden().messages({ 'any.unknown': message }) });
}

/** Returns the cursor as clients send it back: milliseconds since 1970 if the list has the order of times, and the id. */
export function writeListCursor({ time, id }: Cursor): string {
  return time === undefined ? String(id) : `${time.getTime()}-${id}`;
}

function readCursor(text: string, form: keyof typeof FORMS): Cursor | undefined {
  const { time, id } = FORMS[form].exec(text)?.groups ?? {};
  if (id === undefined) return undefined;
  return time === undefined ? { id: Number(id) } : { time: new Date(Number(time)), id: Number(id) };
}
