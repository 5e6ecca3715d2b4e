/** A value for a statement's placeholder. */
export type SqlValue =
  | string
  | number
  | boolean
  | Date
  | Buffer
  | null
  | { toSqlString(): string }
  | SqlValue[];

/** The result of an INSERT, UPDATE or DELETE. */
export interface RunResult {
  affectedRows: number;
  insertId: number;
}
