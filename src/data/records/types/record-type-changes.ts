import type { Problem } from '../../../platform/errors.js';
import { isFaulty, type Usable } from '../../../platform/validation/partial-input.js';
import {
  customFields,
  RESERVED_NAMES,
  type RecordField,
  type RecordType,
  type ResultType,
} from './record-type.js';

/** Maximum number of fields of a type, without the default ones. */
const MAX_FIELDS = 200;

/** A field in the body of POST and PUT; with `id` an existing one. */
export interface FieldInput {
  id?: number;
  name?: string;
  result_type?: ResultType;
  fixed_values?: string[];
}

/** The changes of a type's fields in a PUT. */
export interface FieldChanges {
  fields: FieldInput[];
  field_ids_to_delete: number[];
}

/** The changes to make if there are no problems. */
export interface FieldPlan {
  added: Pick<RecordField, 'name' | 'resultType' | 'fixedValues'>[];
  changed: RecordField[];
  removedIds: number[];
  problems: Problem[];
}

/** Checks the changes against a type's fields (none for a new type), and plans them. */
export function planFields(type: Pick<RecordType, 'fields'>, changes: Usable<FieldChanges>): FieldPlan {
  const { fields = [], field_ids_to_delete: removed = [] } = changes;
  const removedIds = new Set(removed.filter((id) => id !== undefined));
  const problems = checkRemovals(type.fields, removed);
  const plan: FieldPlan = { added: [], changed: [], removedIds: [...removedIds], problems };
  fields.forEach((input, index) => {
    if (input !== undefined) planField(plan, type, { input, path: `fields[${index}]` });
  });
  plan.problems.push(...checkNames(type, fields, removedIds), ...checkNumber(type, plan));
  return plan;
}

function checkRemovals(fields: readonly RecordField[], removed: Usable<number[]>): Problem[] {
  return removed.flatMap((id, index) => {
    if (id === undefined) return [];
    const details = `field_ids_to_delete[${index}]`;
    const field = fields.find((candidate) => candidate.id === id);
    if (field === undefined) return [problem(details, `is not a field of this record type: ${id}`)];
    if (field.source !== 'custom') return [problem(details, `is a default field: ${id}`)];
    return [];
  });
}

interface Wanted {
  input: Usable<FieldInput>;
  path: string;
}

function planField(plan: FieldPlan, type: Pick<RecordType, 'fields'>, wanted: Wanted): void {
  // With an invalid id, the field to change is unknown.
  if (type.fields.length > 0 && isFaulty(wanted.input, 'id')) return;
  if (wanted.input.id === undefined) planNewField(plan, wanted);
  else
    planChange(
      plan,
      type.fields.find(({ id }) => id === wanted.input.id),
      wanted,
    );
}

function planNewField(plan: FieldPlan, { input, path }: Wanted): void {
  const { name, result_type: resultType } = input;
  const fixedValues = (input.fixed_values ?? []).filter((value) => value !== undefined);
  if (name === undefined) plan.problems.push(problem(`${path}.name`, 'is required'));
  if (resultType === undefined) plan.problems.push(problem(`${path}.result_type`, 'is required'));
  if (name === undefined || resultType === undefined) return;
  plan.problems.push(...checkFixedValues(resultType, fixedValues, path));
  plan.added.push({ name, resultType, fixedValues });
}

function planChange(plan: FieldPlan, field: RecordField | undefined, { input, path }: Wanted): void {
  if (field === undefined) {
    plan.problems.push(problem(`${path}.id`, `is not a field of this record type: ${input.id}`));
    return;
  }
  if (field.source !== 'custom') plan.problems.push(problem(`${path}.id`, `is a default field: ${field.id}`));
  if (plan.removedIds.includes(field.id))
    plan.problems.push(problem(`${path}.id`, `is also being deleted: ${field.id}`));
  if (plan.changed.some(({ id }) => id === field.id))
    plan.problems.push(problem(`${path}.id`, `appears twice: ${field.id}`));
  if (input.result_type !== undefined && input.result_type !== field.resultType) {
    plan.problems.push(problem(`${path}.result_type`, `cannot be changed; it is ${field.resultType}`));
  }
  const fixedValues = (input.fixed_values ?? field.fixedValues).filter((value) => value !== undefined);
  plan.problems.push(...checkFixedValues(field.resultType, fixedValues, path));
  plan.changed.push({ ...field, name: input.name ?? field.name, fixedValues });
}

function checkFixedValues(resultType: ResultType, fixedValues: string[], path: string): Problem[] {
  const details = `${path}.fixed_values`;
  if (resultType !== 'TEXT_ENUM') {
    return fixedValues.length === 0 ? [] : [problem(details, 'are for fields of type TEXT_ENUM only')];
  }
  return fixedValues.length > 0 ? [] : [problem(details, 'are required for a field of type TEXT_ENUM')];
}

/** Names are the keys of an object in lists, so they must be unique. */
function checkNames(
  type: Pick<RecordType, 'fields'>,
  fields: Usable<FieldInput[]>,
  removedIds: ReadonlySet<number>,
): Problem[] {
  const mentioned = new Set(fields.map((input) => input?.id));
  const taken = new Set(
    customFields(type)
      .filter(({ id }) => !removedIds.has(id) && !mentioned.has(id))
      .map(({ name }) => name),
  );
  return fields.flatMap((input, index) => {
    const name = input?.name ?? type.fields.find(({ id }) => id === input?.id)?.name;
    if (name === undefined) return [];
    const details = `fields[${index}].name`;
    if (RESERVED_NAMES.has(name)) return [problem(details, `is reserved: ${name}`)];
    if (taken.has(name)) return [problem(details, `is already the name of another field: ${name}`)];
    taken.add(name);
    return [];
  });
}

function checkNumber(type: Pick<RecordType, 'fields'>, { added, removedIds }: FieldPlan): Problem[] {
  const number = customFields(type).length - removedIds.length + added.length;
  return number > MAX_FIELDS
    ? [problem('fields', `result in ${number} fields; a record type can have at most ${MAX_FIELDS}`)]
    : [];
}

function problem(details: string, what: string): Problem {
  return { message: `${details} ${what}`, details };
}
