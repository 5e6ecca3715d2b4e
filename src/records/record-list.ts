import { canRead } from '../auth/access.js';
import type { Actor } from '../auth/actor.js';
import type { Session } from '../db/session.js';
import { type Problem, Unprocessable } from '../errors.js';
import { limited } from '../problems.js';
import { checkFilters, type RequestedFilter } from './record-filter.js';
import type { RecordSearch } from './record-search.js';
import { getRecordType } from './record-type-service.js';
import { findRecordTypes, findTypesOfFields } from './record-type-store.js';
import type { RecordType } from './record-type.js';

/** What a list of records is asked for (api-spec §2); pages aside. */
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
 * The type that is asked for, and the search.
 * @throws NotFound for an unknown type; Unprocessable naming every field and filter that is wrong.
 */
export async function readListQuery(
  actor: Actor,
  query: RecordListQuery,
  session: Session,
): Promise<{ type: RecordType; search: RecordSearch }> {
  const type = await typeOf(actor, query, session);
  const { terms, problems } = checkFilters(query.filters ?? [], type.fields);
  const order = type.fields.find(({ id }) => id === query.order_field_id);
  const all = [...checkColumns(type, query.record_field_ids ?? []), ...problems];
  if (query.order_field_id !== undefined && order === undefined) {
    all.push(noField('order_field_id', query.order_field_id));
  }
  if (all.length > 0) throw new Unprocessable(limited(all));
  const search = {
    typeId: type.id,
    testMode: query.test_mode ?? false,
    rangeStart: query.range_start,
    rangeEnd: query.range_end,
    storyIds: listOrNone(query.story_ids),
    terms,
    order: { field: order, direction: query.order_direction ?? 'DESC' },
  };
  return { type, search };
}

/** An empty list chooses nothing, as if it were not there. */
export function listOrNone(ids: number[] | undefined): number[] | undefined {
  return ids === undefined || ids.length === 0 ? undefined : ids;
}

async function typeOf(actor: Actor, query: RecordListQuery, session: Session): Promise<RecordType> {
  if (query.record_type_id !== undefined) return getRecordType(actor, query.record_type_id, 'none', session);
  const fieldIds = listOrNone(query.record_field_ids);
  if (fieldIds === undefined) {
    const message = 'record_type_id or record_field_ids is required';
    throw new Unprocessable([{ message, details: 'record_type_id' }]);
  }
  return typeOfFields(actor, fieldIds, session);
}

/** The one type that all the fields are of. */
async function typeOfFields(actor: Actor, fieldIds: number[], session: Session): Promise<RecordType> {
  const typeIds = await findTypesOfFields(fieldIds, session);
  const types = await findRecordTypes([...new Set(typeIds.values())], session);
  const seen = new Map(
    types
      .filter((type) => type.tenantId === actor.tenantId && canRead(actor, type.teamId))
      .map((type) => [type.id, type]),
  );
  const found = fieldIds.map((id) => seen.get(typeIds.get(id) ?? 0));
  const first = found.find((type) => type !== undefined);
  const problems = found.flatMap((type, index) => {
    const details = `record_field_ids[${index}]`;
    if (type === undefined) return [noField(details, fieldIds[index])];
    return type === first
      ? []
      : [{ message: `${details} is a field of another record type: ${fieldIds[index]}`, details }];
  });
  if (first === undefined || problems.length > 0) throw new Unprocessable(limited(problems));
  return first;
}

function checkColumns(type: RecordType, fieldIds: number[]): Problem[] {
  return fieldIds.flatMap((id, index) =>
    type.fields.some((field) => field.id === id) ? [] : [noField(`record_field_ids[${index}]`, id)],
  );
}

function noField(details: string, id: number | undefined): Problem {
  return { message: `${details} is no field of a record type: ${id}`, details };
}
