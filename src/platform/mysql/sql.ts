/** A value that can stand in a statement's place holder. */
export type SqlValue =
  | string
  | number
  | boolean
  | Date
  | Buffer
  | null
  | { toSqlString(): string }
  | SqlValue[];

/** What an INSERT, UPDATE or DELETE did. */
export interface RunResult {
  affectedRows: number;
  insertId: number;
}

/** An INSERT, UPDATE or DELETE that is run with others (`Session.runAll`). */
export interface Statement {
  sql: string;
  values: SqlValue[];
  /** Of text and values, roughly; before escaping. */
  bytes: number;
  /** How many rows it must meet. */
  rows?: number;
  /** The variable that has its first id, for the statements after it. */
  idAs?: string;
  /** Told what it did. An error that it throws ends the work. */
  onRan?: (result: RunResult) => void;
}
