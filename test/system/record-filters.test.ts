import type { FieldValue } from '../../src/data/records/field-value.js';
import { OPERATORS, type Operator } from '../../src/data/records/search/record-filter.js';
import type { RecordField, RecordType, ResultType } from '../../src/data/records/types/record-type.js';
import { type Account, buildAccount } from '../support/builders.js';
import { buildRecordType, fieldId, insertMany, useRecordApi } from '../support/records.js';
import { useStores } from '../support/stores.js';

const RECORDS = 5_000;
const SEED = Number(process.env['FILTER_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const stores = useStores();
const api = useRecordApi(stores);

/** mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomOf(SEED);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const whole = (below: number) => Math.floor(random() * below);

const LONG = 'x'.repeat(511);
const TEXTS = [
  'a',
  'A',
  'á',
  'a ',
  ' a',
  'b',
  'Z',
  'z',
  '0',
  '10',
  '9',
  '-1',
  'null',
  'true',
  '%',
  '_',
  "'",
  '\\',
  '"',
  '\u0000',

  'é',
  'e\u0301',
  'ß',
  'ss',
  '\uffff',
  '😀',
  '😁',
  '日本',
  'ａ',
  '<<x>>',
  '{{x}}',
  '__proto__',
  'a\n',
  'a\t',

  LONG,
  `${LONG}a`,
  `${LONG}b`,
  `${LONG}aa`,
  `${LONG}ab`,
  `${LONG}é`,
  `${LONG}😀`,
  `${LONG}a${'y'.repeat(600)}`,
];
const NUMBERS = [
  0,
  1,
  -1,
  2,
  10,
  9,
  0.1,
  0.2,
  0.30000000000000004,
  0.3,
  -0.5,
  1e21,
  -1e21,
  1e-7,
  5e-324,
  -5e-324,

  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  123456789.125,
  255,
  256,
];
const TIMES = [
  '2026-11-21 10:00:00',
  '2026-11-21 10:00:01',
  '2026-11-21 09:59:59',
  '1969-12-31 23:59:59',
  '1970-01-01 00:00:00',
  '0001-01-01 00:00:00',
  '9999-12-31 23:59:59',
  '2024-02-29 12:00:00',
  '2038-01-19 03:14:08',
];
const CHOICES = ['red', 'green', 'blue'];

const VALUES: Record<ResultType, readonly FieldValue[]> = {
  TEXT: TEXTS,
  NUMBER: NUMBERS,
  TIMESTAMP: TIMES,
  BOOLEAN: [true, false],
  TEXT_ENUM: CHOICES,
};

function randomValue(resultType: ResultType): FieldValue {
  if (random() < 0.2) return null;
  if (resultType === 'NUMBER' && random() < 0.3) return whole(50) - 25;
  if (resultType === 'TEXT' && random() < 0.3) return String.fromCodePoint(97 + whole(5), 97 + whole(5));
  return pick(VALUES[resultType]);
}

/** The index holds the first 512 bytes of a text; what is equal so far is ordered by id. */
function cut(value: FieldValue): FieldValue | Buffer {
  return typeof value === 'string' ? Buffer.from(value).subarray(0, 512) : value;
}

interface Row {
  id: number;
  storyId: number | null;
  testMode: boolean;
  createdAt: Date;
  values: Record<string, FieldValue>;
}

/** Texts by code point: UTF-16 units would put U+FFFF after an emoji. */
function compare(a: FieldValue, b: FieldValue): number {
  if (typeof a === 'string' && typeof b === 'string') {
    const [left, right] = [Array.from(a), Array.from(b)];
    for (let index = 0; index < Math.min(left.length, right.length); index++) {
      const difference = left[index]!.codePointAt(0)! - right[index]!.codePointAt(0)!;
      if (difference !== 0) return difference;
    }
    return left.length - right.length;
  }
  return Number(a) < Number(b) ? -1 : Number(a) > Number(b) ? 1 : 0;
}

/** A text without letter case, marks and widths of letters, as the database compares it. */
const folded = (text: FieldValue) => String(text).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Which other letters a server takes for the same differs: the model knows parts of ASCII alone. */
const isModelled = ({ operator, value }: Filter) => operator !== 'CONTAINS' || /^[ -~]*$/.test(String(value));

/** An operator's result by spec §6.5, without a database. */
function matches(value: FieldValue, operator: Operator, other: FieldValue): boolean {
  const empty = value === null || value === '';
  switch (operator) {
    case 'IS_EMPTY':
      return empty;
    case 'IS_NOT_EMPTY':
      return !empty;
    case 'IS_TRUE':
      return value === true;
    case 'IS_FALSE':
      return value === false;
    case 'CONTAINS':
      return !empty && folded(value).includes(folded(other));
    case 'EQUAL':
      return value === other;
    case 'NOT_EQUAL':
      return value !== other;
    case 'GREATER_THAN':
      return !empty && compare(value, other) > 0;
    case 'GREATER_THAN_OR_EQUAL_TO':
      return !empty && compare(value, other) >= 0;
    case 'LESS_THAN':
      return !empty && compare(value, other) < 0;
    default:
      return !empty && compare(value, other) <= 0;
  }
}

const FITTING: Record<ResultType, readonly Operator[]> = {
  TEXT: OPERATORS.filter((operator) => !['IS_TRUE', 'IS_FALSE'].includes(operator)),
  NUMBER: OPERATORS.filter((operator) => !['IS_TRUE', 'IS_FALSE', 'CONTAINS'].includes(operator)),
  TIMESTAMP: OPERATORS.filter((operator) => !['IS_TRUE', 'IS_FALSE', 'CONTAINS'].includes(operator)),
  BOOLEAN: ['EQUAL', 'NOT_EQUAL', 'IS_TRUE', 'IS_FALSE', 'IS_EMPTY', 'IS_NOT_EMPTY'],
  TEXT_ENUM: ['EQUAL', 'NOT_EQUAL', 'IS_EMPTY', 'IS_NOT_EMPTY'],
};

interface Filter {
  field: RecordField;
  operator: Operator;
  value: FieldValue;
}

interface Search {
  filters: Filter[];
  storyIds?: number[];
  range?: [Date, Date];
  testMode?: boolean;
  order?: RecordField;
  direction: 'ASC' | 'DESC';
}

const BASE = Date.UTC(2026, 10, 1);
const STORIES = [
  { id: 901, name: 'One' },
  { id: 902, name: 'Two' },
  { id: 903, name: 'one' },
];

describe(`filters and order on ${RECORDS} random records (FILTER_SEED=${SEED})`, () => {
  let account: Account;
  let type: RecordType;
  let rows: Row[];

  const valueOf = (row: Row, field: RecordField): FieldValue => {
    if (field.source === 'timestamp') return row.createdAt.toISOString().slice(0, 19).replace('T', ' ');
    if (field.source === 'story_name') return STORIES.find(({ id }) => id === row.storyId)?.name ?? null;
    return row.values[field.name] ?? null;
  };

  /** Ids in order, as the documents want them. */
  function expected({ filters, storyIds, range, testMode = false, order, direction }: Search): number[] {
    const sign = direction === 'ASC' ? 1 : -1;
    const byId = (a: Row, b: Row) => sign * (a.id - b.id);
    const byTime = (a: Row, b: Row) => sign * (a.createdAt.getTime() - b.createdAt.getTime()) || byId(a, b);
    const byField = (field: RecordField) => (a: Row, b: Row) => {
      const [left, right] = [valueOf(a, field), valueOf(b, field)];
      if (left === null || right === null)
        return Number(left === null) - Number(right === null) || byId(a, b);
      const [first, second] = [cut(left), cut(right)];
      const result =
        Buffer.isBuffer(first) && Buffer.isBuffer(second)
          ? Buffer.compare(first, second)
          : compare(left, right);
      return sign * result || byId(a, b);
    };
    return rows
      .filter((row) => row.testMode === testMode)
      .filter((row) => storyIds === undefined || (row.storyId !== null && storyIds.includes(row.storyId)))
      .filter((row) => range === undefined || (row.createdAt >= range[0] && row.createdAt < range[1]))
      .filter((row) =>
        filters.every(({ field, operator, value }) => matches(valueOf(row, field), operator, value)),
      )
      .toSorted(order === undefined || order.source === 'timestamp' ? byTime : byField(order))
      .map(({ id }) => id);
  }

  async function check(search: Search): Promise<void> {
    const wanted = expected(search);
    const size = pick([1, 7, 20, 100, 500]);
    const pages = Math.max(1, Math.ceil(wanted.length / size));
    for (const page of new Set([1, 1 + whole(pages), pages, pages + 1])) {
      const found = await api.services.records.list(
        account.actor,
        {
          record_type_id: type.id,
          filters: search.filters.map(({ field, operator, value }) => ({
            field_id: field.id,
            operator,
            // Beyond 2^53 numbers come as text.
            value: typeof value === 'number' ? String(value) : value,
          })),
          story_ids: search.storyIds,
          range_start: search.range?.[0],
          range_end: search.range?.[1],
          test_mode: search.testMode,
          order_field_id: search.order?.id,
          order_direction: search.direction,
        },
        { limit: size, offset: (page - 1) * size },
      );
      const about = JSON.stringify({ seed: SEED, search, page, size });
      expect({ about, total: found.total }).toEqual({ about, total: wanted.length });
      expect({ about, ids: found.records.map(({ id }) => id) }).toEqual({
        about,
        ids: wanted.slice((page - 1) * size, page * size),
      });
    }
  }

  const field = (name: string) => type.fields.find(({ id }) => id === fieldId(type, name))!;

  function randomFilter(): Filter {
    const chosen = pick(type.fields);
    const operator = pick(FITTING[chosen.resultType]);
    if (chosen.source === 'story_name')
      return { field: chosen, operator, value: pick(['One', 'Two', 'one', 'Zero']) };
    if (chosen.source === 'timestamp') {
      const value = new Date(BASE + whole(5_000) * 1_000).toISOString().slice(0, 19).replace('T', ' ');
      return { field: chosen, operator, value };
    }
    return {
      field: chosen,
      operator,
      value: randomValue(chosen.resultType) ?? pick(VALUES[chosen.resultType]),
    };
  }

  function randomSearch(filters: Filter[]): Search {
    const from = BASE + whole(4_000_000);
    return {
      filters: filters.filter(isModelled),
      direction: pick(['ASC', 'DESC']),
      ...(random() < 0.6 && { order: pick(type.fields) }),
      ...(random() < 0.2 && { storyIds: pick([[901], [901, 902], [902, 903, 999_999], [999_999]]) }),
      ...(random() < 0.2 && { range: [new Date(from), new Date(from + whole(2_000_000))] }),
      ...(random() < 0.15 && { testMode: true }),
    };
  }

  beforeAll(async () => {
    account = await buildAccount(stores.db);
    type = await buildRecordType(api, account);
    const drafts = Array.from({ length: RECORDS }, () => ({
      story: random() < 0.5 ? pick(STORIES) : null,
      testMode: random() < 0.1,
      values: Object.fromEntries(
        type.fields
          .filter(({ source }) => source === 'custom')
          .map(({ name, resultType }) => [name, randomValue(resultType)]),
      ),
    }));
    const ids = await insertMany(stores, type, drafts);
    const step = 1000;
    // One record a second, several in the same millisecond, so that ties are there to be broken.
    await stores.sql(
      `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (number FOR ORDINALITY, id BIGINT PATH '$')) v
       JOIN records r ON r.id = v.id
       SET r.created_at = '2026-11-01 00:00:00' + INTERVAL FLOOR((v.number - 1) / 3) SECOND
           + INTERVAL MOD(FLOOR((v.number - 1) / 3) * 137, 1000) * 1000 MICROSECOND`,
      [JSON.stringify(ids)],
    );
    rows = drafts.map((draft, index) => ({
      id: ids[index]!,
      storyId: draft.story?.id ?? null,
      testMode: draft.testMode,
      createdAt: new Date(BASE + Math.floor(index / 3) * step + ((Math.floor(index / 3) * 137) % 1000)),
      values: draft.values,
    }));
    await stores.db.read((session) => session.rows('ANALYZE TABLE records, record_values'));
  });

  // The stores are emptied after each test: the whole comparison is one.
  it('give what a model in memory gives, for every operator, type and value', async () => {
    for (const chosen of type.fields) {
      for (const operator of FITTING[chosen.resultType]) {
        const kinds =
          operator.startsWith('IS_') || chosen.source !== 'custom'
            ? [randomFilter().value]
            : VALUES[chosen.resultType].filter(() => chosen.resultType !== 'TEXT' || random() < 0.5);
        for (const value of kinds) {
          const usable =
            chosen.source === 'timestamp'
              ? '2026-11-01 00:10:00'
              : chosen.source === 'story_name'
                ? 'One'
                : value;
          const filter = { field: chosen, operator, value: operator.startsWith('IS_') ? null : usable };
          await check(randomSearch([filter]));
        }
      }
    }
    for (let round = 0; round < 150; round++) {
      await check(randomSearch(Array.from({ length: whole(4) }, randomFilter)));
    }
    await check({ filters: [], order: field('Text'), direction: 'ASC' });
  });
});
