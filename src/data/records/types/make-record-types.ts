import type { Session } from '../../../platform/mysql/session.js';
import { type FieldInput, planFields } from './record-type-changes.js';
import { findRecordType, findTypesNamed } from './record-type-store.js';
import { insertFields, insertRecordType, type TypeHome } from './record-type-write-store.js';
import { customFields, DEFAULT_FIELDS, EXPORTED_DEFAULT_NAMES, type RecordType } from './record-type.js';

const MAX_NAMED = 10;

/** A record type that stories write to. */
export interface RequiredRecordType {
  name: string;
  /** May include default fields. */
  fields: (FieldInput & { name: string })[];
  /** Names of the fields that stories write. */
  written: Set<string>;
}

/**
 * Creates the record types whose names the team does not have, in the caller's transaction; existing ones stay
 * unchanged. Returns messages for the owner.
 */
export async function makeRecordTypes(
  wanted: readonly RequiredRecordType[],
  home: TypeHome,
  session: Session,
): Promise<string[]> {
  const { tenantId, teamId } = home;
  const found = await findTypesNamed(
    wanted.map(({ name }) => ({ teamId, name })),
    session,
  );
  const ids = new Map(found.map(({ id, name }) => [name, id]));
  const warnings: string[] = [];
  for (const type of wanted) {
    const id = ids.get(type.name);
    const known = id === undefined ? undefined : await findRecordType(id, tenantId, 'none', session);
    warnings.push(...(known === undefined ? [await make(type, home, session)] : differences(type, known)));
  }
  return warnings;
}

async function make(wanted: RequiredRecordType, home: TypeHome, session: Session): Promise<string> {
  const { name } = wanted;
  const { fields, problems } = plannedFields(wanted);
  if (problems.length > 0) {
    const why = problems.map(({ message }) => message).slice(0, MAX_NAMED);
    return `The record type "${name}" was not created: ${why.join('; ')}`;
  }
  const id = await insertRecordType(name, home, session);
  await insertFields(id, fields, session);
  const own = fields.filter(({ source }) => source === 'custom');
  return `The record type "${name}" was created with ${own.length} fields`;
}

/** Returns the fields of a new type, default ones first, and the faults that prevent it. */
export function plannedFields({ fields }: RequiredRecordType) {
  const own = fields.filter((field) => !EXPORTED_DEFAULT_NAMES.has(field.name));
  const { added, problems } = planFields({ fields: [] }, { fields: own, field_ids_to_delete: [] });
  const defaults = DEFAULT_FIELDS.map((field) => ({ ...field, fixedValues: [] }));
  const custom = added.map((field) => ({ ...field, source: 'custom' as const }));
  return { fields: [...defaults, ...custom], problems };
}

/** Returns messages about fields that the team's type lacks or has with another type. */
function differences({ name, fields, written }: RequiredRecordType, known: RecordType): string[] {
  const theirs = new Map(customFields(known).map((field) => [field.name, field]));
  const own = fields.filter((field) => written.has(field.name) && !EXPORTED_DEFAULT_NAMES.has(field.name));
  const lacking = own.filter((field) => !theirs.has(field.name)).map((field) => `"${field.name}"`);
  const others = own.flatMap(({ name: fieldName, result_type: wanted }) => {
    const type = theirs.get(fieldName)?.resultType;
    return type === undefined || type === wanted ? [] : [`"${fieldName}" is ${type}, not ${wanted}`];
  });
  return [
    ...(lacking.length === 0
      ? []
      : [`The team's record type "${name}" is missing fields that the story writes: ${listed(lacking)}`]),
    ...(others.length === 0
      ? []
      : [`The team's record type "${name}" has fields with a different type: ${listed(others)}`]),
  ];
}

function listed(parts: string[]): string {
  const more = parts.length - MAX_NAMED;
  return parts.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
