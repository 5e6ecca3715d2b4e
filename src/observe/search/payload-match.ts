/** A value at a place of a payload. */
export interface PayloadMatch {
  /** JSON path of the database; undefined: anywhere. */
  path: string | undefined;
  /** The value as text; undefined: any value. */
  value: string | undefined;
}
