/** What a filter gets besides its value. */
export interface FilterCall {
  /** Positional arguments: `date: "%s", "UTC"`. */
  args: unknown[];
  /** `default: 0, allow_false: true` */
  named: ReadonlyMap<string, unknown>;
  /** Of arithmetic: the value or an argument is written with a decimal point, or worked out from one that is. */
  isDecimal: boolean;
  /** Throws when the render has used up its time; for filters that loop for long. */
  checkTime: () => void;
  /** Counts memory that the value's size does not show, in elements made; throws when it is used up. */
  charge: (elements: number) => void;
}

/**
 * A filter: pure, synchronous, own properties only. Never called with a value beyond the limits.
 * @throws TemplateError when the value cannot be used at all.
 */
export type ValueFilter = (value: unknown, call: FilterCall) => unknown;

/** Filters by name. */
export type FilterTable = Record<string, ValueFilter>;
