import { guardStep } from './id-step.js';
import { MAX_STATEMENT_ROWS, type RowInsert, rowStatements, textBytes } from './row-statements.js';
import type { Session } from './session.js';
import type { RunResult, SqlValue, Statement } from './sql.js';

/** What a statement did, once its script has run. */
export type Ran = () => RunResult;

/** The id of a row that a script inserts: stands in its later statements before anybody knows the number. */
export interface RowRef {
  toSqlString(): string;
}

/** Of a row that is there, or of one that the same script inserts. */
export type RowId = number | RowRef;

/** Rows that a script inserts. */
export interface Inserted {
  /** Of the rows, in their order: for statements that are added after. */
  refs: () => RowRef[];
  /** Of the rows, in their order: once the script has run. */
  ids: () => number[];
}

/**
 * Statements of one transaction that are known before the first of them runs. They go to the database together, as far as
 * its connection allows (decision 0021); where one fails, none after it is run.
 */
export interface Script {
  add(sql: string, values: SqlValue[]): Ran;
  /** One that must meet exactly so many rows; otherwise nothing after it is run, and running it throws RowsMissed. */
  addExact(rows: number, sql: string, values: SqlValue[]): void;
  /**
   * Rows that go in as few multi-row statements, which give ids at the session's step (rule 6); one by one where that is not
   * known. A statement is refused where the server's step is another one.
   */
  insert<Row extends SqlValue[]>(insert: RowInsert<Row>): Inserted;
}

export interface ScriptOptions {
  /** Whether nothing comes after it in its transaction: COMMIT then needs no trip of its own. Default: false. */
  isLast?: boolean;
}

/**
 * Runs what `write` adds to a script, in its order; gives what the function that it returns says afterwards.
 * @throws RowsMissed; IdStepChanged; CommitUnknown; the driver's errors.
 */
export async function runScript<Result>(
  session: Session,
  { isLast = false }: ScriptOptions,
  write: (script: Script) => () => Result,
): Promise<Result> {
  const statements: Statement[] = [];
  const resultOf = write(createScript(statements, session.idStep));
  if (statements.length > 0) await session.runAll(statements, { isLast });
  return resultOf();
}

function createScript(statements: Statement[], idStep: number | undefined): Script {
  let inserts = 0;
  return {
    add(sql, values) {
      let ran: RunResult | undefined;
      statements.push({ sql, values, bytes: textBytes(sql, ...values), onRan: (result) => (ran = result) });
      return () => known(ran);
    },
    addExact(rows, sql, values) {
      statements.push({ sql, values, bytes: textBytes(sql, ...values), rows });
    },
    insert(insert) {
      const inserted: { statement: Statement; first: First; rows: number }[] = [];
      const mostRows = idStep === undefined ? 1 : MAX_STATEMENT_ROWS;
      for (const { sql, rows, bytes } of rowStatements(insert, mostRows)) {
        const first: First = { name: `@inserted${inserts++}`, id: undefined };
        const onRan = ({ insertId, affectedRows }: RunResult) => {
          if (affectedRows !== rows.length) {
            throw new Error(`${affectedRows} of ${rows.length} rows went into ${insert.table}`);
          }
          first.id = insertId;
        };
        const values = [idStep === undefined ? rows : guardStep(rows, idStep)];
        const statement: Statement = { sql, values, bytes, onRan };
        statements.push(statement);
        inserted.push({ statement, first, rows: rows.length });
      }
      const each = <Value>(valueOf: (first: First, distance: number) => Value): Value[] =>
        inserted.flatMap(({ first, rows }) =>
          Array.from({ length: rows }, (_, index) => valueOf(first, index * (idStep ?? 0))),
        );
      return {
        refs() {
          for (const { statement, first } of inserted) statement.idAs = first.name;
          return each((first, distance) => new Ref(first, distance));
        },
        ids: () => each((first, distance) => known(first.id) + distance),
      };
    },
  };
}

/** The first id that a statement gives. */
interface First {
  /** What it is called in the statements of the same packet. */
  name: string;
  id: number | undefined;
}

/** A number where it is known: in later packets, and where each statement goes alone. */
class Ref implements RowRef {
  readonly #first: First;
  readonly #distance: number;

  constructor(first: First, distance: number) {
    this.#first = first;
    this.#distance = distance;
  }

  toSqlString(): string {
    const { name, id } = this.#first;
    return id === undefined ? `${name} + ${this.#distance}` : String(id + this.#distance);
  }
}

function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The script has not been run');
  return value;
}
