import Joi from 'joi';

/** A place in a list of runs, newest first: after the run with this time and id. */
export interface RunCursor {
  createdAt: Date;
  id: number;
}

/** Returns the cursor as clients send it back: milliseconds since 1970, and the id. */
export function writeRunCursor({ createdAt, id }: RunCursor): string {
  return `${createdAt.getTime()}-${id}`;
}

/** A cursor in a query, read as a `RunCursor`. */
export const cursorField = Joi.string()
  .custom((text: string, helpers) => readCursor(text) ?? helpers.error('cursor.form'))
  .messages({ 'cursor.form': '{{#label}} must be the next_before of another page' })
  .description('`next_before` of the previous page');

function readCursor(text: string): RunCursor | undefined {
  const [, time, id] = /^(\d{1,14})-(\d{1,15})$/.exec(text) ?? [];
  return time === undefined || id === undefined
    ? undefined
    : { createdAt: new Date(Number(time)), id: Number(id) };
}
