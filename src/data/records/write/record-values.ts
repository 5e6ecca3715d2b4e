import type { Problem } from '../../../platform/errors.js';
import type { Usable } from '../../../platform/validation/partial-input.js';
import { type FieldValue, readFieldValue } from '../field-value.js';
import type { RecordField } from '../types/record-type.js';

/** Maximum size of all values of one record, in bytes: a page of 500 records must fit into memory. */
const MAX_RECORD_BYTES = 256 * 1024;

/** An element of `field_values`. */
export interface FieldValueInput {
  field_id: number;
  value: unknown;
}

/** Returns the typed values of a request's `field_values`, and all their faults. */
export function checkFieldValues(
  inputs: Usable<FieldValueInput[]>,
  fields: readonly RecordField[],
): { values: Map<RecordField, FieldValue>; problems: Problem[] } {
  const values = new Map<RecordField, FieldValue>();
  const problems: Problem[] = [];
  inputs.forEach((input, index) => {
    if (input?.field_id === undefined) return;
    const { field_id: fieldId, value } = input;
    const path = `field_values[${index}]`;
    const field = fields.find(({ id }) => id === fieldId);
    const wrong =
      field === undefined ? `is not a field of this record type: ${fieldId}` : whyNot(field, values);
    if (field === undefined || wrong !== undefined) {
      problems.push({ message: `${path}.field_id ${wrong}`, details: `${path}.field_id` });
      return;
    }
    if (value === undefined) return;
    const typed = readFieldValue(field, value);
    if (typed.problem === undefined) values.set(field, typed.value);
    else problems.push({ message: `${path}.value ${typed.problem}`, details: `${path}.value` });
  });
  return { values, problems: [...problems, ...checkSize([...values.values()])] };
}

/** Checks the total size of the values. */
export function checkSize(values: readonly FieldValue[]): Problem[] {
  const bytes = values.reduce<number>((sum, value) => sum + Buffer.byteLength(String(value)), 0);
  if (bytes <= MAX_RECORD_BYTES) return [];
  return [
    {
      message: `A record can have at most ${MAX_RECORD_BYTES} bytes; this one has ${bytes}`,
      details: 'field_values',
    },
  ];
}

function whyNot(field: RecordField, given: ReadonlyMap<RecordField, FieldValue>): string | undefined {
  if (field.source !== 'custom') return `is set by the server: ${field.name}`;
  return given.has(field) ? `appears twice: ${field.id}` : undefined;
}
