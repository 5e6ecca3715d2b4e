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
