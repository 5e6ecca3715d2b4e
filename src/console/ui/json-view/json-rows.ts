import { hasEntries } from '../../text/exact-json.js';

/** One line of a JSON value: a key with its value, a stretch of a long list, or a piece of a long text. */
export interface JsonRow {
  /** Tells it from all other rows of the value. */
  id: string;
  depth: number;
  parent: JsonRow | undefined;
  /** The key or place in its parent; undefined for the root, a stretch and a piece of text. */
  name: string | number | undefined;
  value: unknown;
  /** Whether it shows what is in it; undefined where nothing is. */
  isOpen: boolean | undefined;
  /** The first and the last place of a stretch. */
  stretch?: [number, number];
  /** A piece of the text above it. */
  piece?: string;
}

/** More entries than that are shown in stretches of that many, so a row more or less never counts. */
const STRETCH = 1_000;
/** A text that is longer, or has lines, can be unfolded. */
const LONG_TEXT = 120;
const PIECE = 160;
/** Values that open by themselves: those of few entries, near the root. */
const OPEN = { depth: 3, entries: 60 };

/** Returns the lines of a value. `toggled` has the ids of the rows that are not as they open by themselves. */
export function jsonRows(value: unknown, toggled: ReadonlySet<string>): JsonRow[] {
  const rows: JsonRow[] = [];
  // A stack, not a recursion: a payload may be nested some thousand deep.
  const stack: JsonRow[] = [rowOf({ id: '', depth: 0, parent: undefined, name: undefined, value }, toggled)];
  for (let row = stack.pop(); row !== undefined; row = stack.pop()) {
    rows.push(row);
    if (row.isOpen === true) {
      const inside = childrenOf(row, toggled);
      for (let at = inside.length - 1; at >= 0; at -= 1) stack.push(inside[at] as JsonRow);
    }
  }
  return rows;
}

/** Returns the toggled rows that show the value at these steps, and the id of its row; of the last one that exists. */
export function reveal(
  value: unknown,
  toggled: ReadonlySet<string>,
  steps: readonly (string | number)[],
): { toggled: ReadonlySet<string>; id: string } {
  const next = new Set(toggled);
  let row = rowOf({ id: '', depth: 0, parent: undefined, name: undefined, value }, next);
  for (const step of steps) {
    for (let isStretch = true; isStretch; ) {
      if (row.isOpen === false && !next.delete(row.id)) next.add(row.id);
      const inside = childrenOf(row, next);
      const found = inside.find(({ name }) => name === step) ?? stretchOf(inside, step, row.value);
      if (found === undefined) return { toggled: next, id: row.id };
      isStretch = found.stretch !== undefined;
      row = found;
    }
  }
  return { toggled: next, id: row.id };
}

/** Returns the stretch in which an entry is. */
function stretchOf(rows: readonly JsonRow[], step: string | number, value: unknown): JsonRow | undefined {
  const at = typeof step === 'number' ? step : Object.keys(value as object).indexOf(step);
  return rows.find(({ stretch }) => stretch !== undefined && stretch[0] <= at && at <= stretch[1]);
}

/** Returns the keys and places that lead to a row. */
export function stepsTo(row: JsonRow): (string | number)[] {
  const steps: (string | number)[] = [];
  for (let at: JsonRow | undefined = row; at !== undefined; at = at.parent) {
    if (at.name !== undefined) steps.unshift(at.name);
  }
  return steps;
}

/** Returns the number of entries of a list or an object; undefined for any other value. */
export function entryCount(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  return hasEntries(value) ? Object.keys(value).length : undefined;
}

function rowOf(bare: Omit<JsonRow, 'isOpen'>, toggled: ReadonlySet<string>): JsonRow {
  const byItself = opensByItself(bare);
  if (byItself === undefined) return { ...bare, isOpen: undefined };
  return { ...bare, isOpen: toggled.has(bare.id) ? !byItself : byItself };
}

function opensByItself({ depth, value, stretch, piece }: Omit<JsonRow, 'isOpen'>): boolean | undefined {
  if (piece !== undefined) return undefined;
  if (stretch !== undefined) return false;
  if (typeof value === 'string') return value.length > LONG_TEXT || value.includes('\n') ? false : undefined;
  const entries = entryCount(value);
  if (entries === undefined || entries === 0) return undefined;
  return depth === 0 || (depth < OPEN.depth && entries <= OPEN.entries);
}

function childrenOf(row: JsonRow, toggled: ReadonlySet<string>): JsonRow[] {
  const { value, depth, stretch } = row;
  const below = { depth: depth + 1, parent: row };
  if (typeof value === 'string') {
    return pieces(value).map((piece, at) => ({
      ...below,
      id: `${row.id}~${at}`,
      name: undefined,
      value: piece,
      piece,
      isOpen: undefined,
    }));
  }
  const keys = Array.isArray(value) ? undefined : Object.keys(value as object);
  const count = keys?.length ?? (value as unknown[]).length;
  if (stretch === undefined && count > STRETCH) {
    return Array.from({ length: Math.ceil(count / STRETCH) }, (_, part) => {
      const first = part * STRETCH;
      const to: [number, number] = [first, Math.min(first + STRETCH, count) - 1];
      return rowOf({ ...below, id: `${row.id}~${first}`, name: undefined, value, stretch: to }, toggled);
    });
  }
  const [first, last] = stretch ?? [0, count - 1];
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const name = keys?.[first + at] ?? first + at;
    const inside = (value as Record<string | number, unknown>)[name];
    return rowOf({ ...below, id: `${row.id}/${name}`, name, value: inside }, toggled);
  });
}

function pieces(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    if (line.length <= PIECE) return [line];
    return Array.from({ length: Math.ceil(line.length / PIECE) }, (_, at) =>
      line.slice(at * PIECE, (at + 1) * PIECE),
    );
  });
}
