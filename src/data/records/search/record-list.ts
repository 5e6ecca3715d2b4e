import { type Actor, canRead, canWrite } from '../../../api/face.js';
import type { Session } from '../../../platform/mysql/session.js';
import { type Problem, Unprocessable } from '../../../platform/errors.js';
import { firstProblems } from '../../../platform/validation/validate.js';
import { mayHoldLink } from '../../../platform/secrets/hidden-secrets.js';
import { isFaulty, type Usable } from '../../../platform/validation/partial-input.js';
import { checkFilters, type FilterTerm, type RequestedFilter } from './record-filter.js';
import type { RecordSearch } from './record-search.js';
import { getRecordType } from '../types/record-type-service.js';
import { findRecordTypes, findTypesOfFields } from '../types/record-type-store.js';
import type { RecordType } from '../types/record-type.js';

/** The query of a list of records (spec §6.4), without paging. */
export interface RecordListQuery {
  record_type_id?: number | undefined;
  record_field_ids?: number[] | undefined;
  range_start?: Date | undefined;
  range_end?: Date | undefined;
  story_ids?: number[] | undefined;
  order_direction?: 'ASC' | 'DESC' | undefined;
  order_field_id?: number | undefined;
  filters?: RequestedFilter[] | undefined;
  test_mode?: boolean | undefined;
}

/**
 * Returns the requested type and the search.
 * @throws NotFound for an unknown type; Unprocessable naming every wrong field and filter.
 */
export async function readListQuery(
  actor: Actor,
  query: RecordListQuery,
  session: Session,
): Promise<{ type: RecordType; search: RecordSearch }> {
  const { type, terms, problems } = await readQueried(actor, query, session);
  if (type === undefined || problems.length > 0) throw new Unprocessable(firstProblems(problems));
  const search = {
    typeId: type.id,
    testMode: query.test_mode ?? false,
    rangeStart: query.range_start,
    rangeEnd: query.range_end,
    storyIds: listOrNone(query.story_ids),
    terms,
    order: { field: orderField(type, query), direction: query.order_direction ?? 'DESC' },
  };
  return { type, search };
}

/** Returns the faults in the usable parts of a query. @throws NotFound for an unknown type. */
export async function listQueryProblems(
  actor: Actor,
  query: Usable<RecordListQuery>,
  session: Session,
): Promise<Problem[]> {
  const isTypeUnclear = query.record_type_id === undefined && query.record_field_ids === undefined;
  if (isTypeUnclear && isFaulty(query, 'record_field_ids')) return [];
  return (await readQueried(actor, query, session)).problems;
}

/** An empty list counts as absent. */
export function listOrNone<Ids extends readonly unknown[]>(ids: Ids | undefined): Ids | undefined {
  return ids === undefined || ids.length === 0 ? undefined : ids;
}

interface Queried {
  /** Undefined if the query does not determine it. */
  type: RecordType | undefined;
  terms: FilterTerm[];
  problems: Problem[];
}

async function readQueried(actor: Actor, query: Usable<RecordListQuery>, session: Session): Promise<Queried> {
  const { type, problems } = await typeOf(actor, query, session);
  if (type === undefined) return { type, terms: [], problems };
  const filters = checkFilters(query.filters ?? [], type.fields);
  const hidden = canWrite(actor, type.teamId) ? [] : hiddenValues(filters.terms);
  const wrongOrder =
    query.order_field_id !== undefined && orderField(type, query) === undefined
      ? [noField('order_field_id', query.order_field_id)]
      : [];
  return {
    type,
    terms: filters.terms,
    problems: [...problems, ...filters.problems, ...hidden, ...wrongOrder],
  };
}

/** Actors who may only read could find a hidden text letter by letter with many comparisons: such filters are refused. */
function hiddenValues(terms: readonly FilterTerm[]): Problem[] {
  return terms
    .filter(({ value }) => typeof value === 'string' && mayHoldLink(value))
    .map(({ field }) => ({
      message: `filters: comparing prompt and webhook links in "${field.name}" requires write permission`,
      details: 'filters',
    }));
}

function orderField(type: RecordType, query: Pick<RecordListQuery, 'order_field_id'>) {
  return type.fields.find(({ id }) => id === query.order_field_id);
}

type TypeAsked = Omit<Queried, 'terms'>;

/** Returns the type, and the faults of the columns. */
async function typeOf(actor: Actor, query: Usable<RecordListQuery>, session: Session): Promise<TypeAsked> {
  const fieldIds = listOrNone(query.record_field_ids);
  if (query.record_type_id !== undefined) {
    const type = await getRecordType(actor, query.record_type_id, 'none', session);
    return { type, problems: checkColumns(type, fieldIds ?? []) };
  }
  if (fieldIds !== undefined) return typeOfFields(actor, fieldIds, session);
  const message = 'record_type_id or record_field_ids is required';
  return { type: undefined, problems: [{ message, details: 'record_type_id' }] };
}

type FieldIds = Usable<number[]>;

/** Returns the type of all the fields; if they belong to several types, that of the first. */
async function typeOfFields(actor: Actor, fieldIds: FieldIds, session: Session): Promise<TypeAsked> {
  const given = fieldIds.filter((id) => id !== undefined);
  const typeIds = await findTypesOfFields(given, session);
  const types = await findRecordTypes([...new Set(typeIds.values())], session);
  const seen = new Map(
    types
      .filter((type) => type.tenantId === actor.tenantId && canRead(actor, type.teamId))
      .map((type) => [type.id, type]),
  );
  const typeOfField = (id: number) => seen.get(typeIds.get(id) ?? 0);
  const first = given.map(typeOfField).find((type) => type !== undefined);
  const problems = fieldIds.flatMap((id, index) => {
    if (id === undefined) return [];
    const details = `record_field_ids[${index}]`;
    const type = typeOfField(id);
    if (type === undefined) return [noField(details, id)];
    return type === first
      ? []
      : [{ message: `${details} is a field of another record type: ${id}`, details }];
  });
  return { type: first, problems };
}

function checkColumns(type: RecordType, fieldIds: FieldIds): Problem[] {
  return fieldIds.flatMap((id, index) =>
    id === undefined || type.fields.some((field) => field.id === id)
      ? []
      : [noField(`record_field_ids[${index}]`, id)],
  );
}

function noField(details: string, id: number): Problem {
  return { message: `${details} is not a field of a record type: ${id}`, details };
}
