/** The way from a value to a part of it. */
type Path = readonly (string | number)[];

/** A value to be sent in portions: taking one with a hundred thousand parts from a thread takes a tenth of a second. */
export interface Portioned {
  /** The value without the items of its long lists. */
  rest: unknown;
  /** For each long list, where it belongs; those within others come later. */
  places: Path[][];
  portions: Portion[];
}

/** Consecutive items of one of the long lists. */
export interface Portion {
  list: number;
  items: unknown[];
}

/** Lists of more items are long. */
const LONG = 200;
/** A portion ends with the item that reaches so many parts. */
const PORTION_PARTS = 2_000;

/** Returns the value in portions; one without long lists has none. Lists in maps stay whole. */
export function portionsOf(value: unknown): Portioned {
  const lists = new Map<unknown[], number>();
  const places: Path[][] = [];
  const portions: Portion[] = [];

  const cut = (part: unknown, path: Path): unknown => {
    if (Array.isArray(part)) return part.length > LONG ? taken(part, path) : cutList(part, path);
    return isPlain(part) ? cutObject(part, path) : part;
  };
  const cutIn = (part: unknown, path: Path, key: string | number): unknown =>
    typeof part === 'object' && part !== null ? cut(part, [...path, key]) : part;
  const cutList = (list: unknown[], path: Path): unknown[] => {
    const items = list.map((item, index) => cutIn(item, path, index));
    return items.some((item, index) => item !== list[index]) ? items : list;
  };
  const cutObject = (object: Record<string, unknown>, path: Path): object => {
    // Nothing could be put at such a key later.
    const entries = Object.entries(object).filter(([key]) => key !== '__proto__');
    const changes = entries.flatMap(([key, item]) => {
      const rest = cutIn(item, path, key);
      return rest === item ? [] : [[key, rest] as const];
    });
    return changes.length === 0 ? object : { ...object, ...Object.fromEntries(changes) };
  };
  /** A list that occurs twice is sent once. */
  const taken = (list: unknown[], path: Path): unknown[] => {
    const known = lists.get(list);
    if (known !== undefined) places[known]?.push(path);
    if (known !== undefined) return [];
    const number = places.length;
    lists.set(list, number);
    places.push([path]);
    const items = list.map((item, index) => cutIn(item, path, index));
    portions.push(...dealt(items).map((dealtItems) => ({ list: number, items: dealtItems })));
    return [];
  };

  const rest = cut(value, []);
  return { rest, places, portions };
}

function dealt(items: unknown[]): unknown[][] {
  const all: unknown[][] = [];
  let parts = PORTION_PARTS;
  for (const item of items) {
    if (parts >= PORTION_PARTS) {
      all.push([]);
      parts = 0;
    }
    all.at(-1)?.push(item);
    parts += partsOf(item);
  }
  return all;
}

function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + partsOf(item), 1);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Puts a value together again, from its rest and from all portions that came. */
export function joinPortions({ rest, places, portions }: Portioned): unknown {
  const lists = places.map((): unknown[] => []);
  for (const { list, items } of portions) for (const item of items) lists[list]?.push(item);
  const whole = { value: rest };
  for (const [number, paths] of places.entries()) {
    for (const path of paths) putAt(whole, ['value', ...path], lists[number]);
  }
  return whole.value;
}

function putAt(whole: object, path: Path, list: unknown): void {
  let inner = whole as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) inner = inner[key] as typeof inner;
  inner[path.at(-1) ?? ''] = list;
}
