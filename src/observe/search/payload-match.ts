/** Where a run has the searched value. */
export interface PayloadPlace {
  eventId: number;
  /** As in `body.alerts[0].id`; empty: the whole payload. Undefined: at the searched path. */
  path: string | undefined;
}

/** A value at a place of a payload. */
export interface PayloadMatch {
  /** JSON path of the database; undefined: anywhere. */
  path: string | undefined;
  /** The value as text; undefined: any value. */
  value: string | undefined;
}
