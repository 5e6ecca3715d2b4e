import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { orderedObject } from '../../../platform/json/ordered-object.js';
import { parseLayout } from '../../import/plan/guid-map.js';

/** The place of an action or a note on the board. */
export interface Position {
  x: number;
  y: number;
}

/** Returns the positions in a story's `diagram_layout`, by guid. */
export function layoutPositions(layout: JsonValue | undefined): ReadonlyMap<string, Position> {
  const entries = Object.entries(layoutObject(layout) ?? {});
  return new Map(
    entries.flatMap(([guid, value]) => {
      const position = positionOf(value);
      return position === undefined ? [] : [[guid, position] as const];
    }),
  );
}

/** Returns the position that `[x, y]` of an export is; undefined for any other value. */
export function positionOf(value: JsonValue | undefined): Position | undefined {
  if (!Array.isArray(value)) return undefined;
  const [x, y] = value.map(Number);
  return Number.isFinite(x) && Number.isFinite(y) ? { x: x as number, y: y as number } : undefined;
}

/**
 * Returns the layout with these positions; null takes one out. The other entries stay as they were written, digits
 * included. Without a change the layout itself is returned.
 */
export function withPositions(
  layout: JsonValue | undefined,
  changes: ReadonlyMap<string, Position | null>,
): JsonValue | undefined {
  const before = layoutPositions(layout);
  const wanted = new Map([...changes].filter(([guid, to]) => !isSame(before.get(guid), to)));
  if (wanted.size === 0) return layout;
  return isJsonObject(layout) ? changedObject(layout, wanted) : changedText(layout, wanted);
}

function isSame(from: Position | undefined, to: Position | null): boolean {
  if (from === undefined || to === null) return from === undefined && to === null;
  return from.x === to.x && from.y === to.y;
}

function changedObject(layout: JsonObject, wanted: ReadonlyMap<string, Position | null>): JsonObject {
  const kept = Object.entries(layout).filter(([guid]) => wanted.get(guid) !== null);
  const set = [...wanted].flatMap(([guid, to]): [string, JsonValue][] =>
    to === null ? [] : [[guid, [to.x, to.y]]],
  );
  return orderedObject([...kept, ...set]);
}

function changedText(layout: JsonValue | undefined, wanted: ReadonlyMap<string, Position | null>): string {
  const isText = typeof layout === 'string' && parseLayout(layout) !== undefined;
  const entries = new Map(isText ? entriesOf(layout) : []);
  for (const [guid, to] of wanted) {
    if (to === null) entries.delete(guid);
    else entries.set(guid, JSON.stringify([to.x, to.y]));
  }
  return `{${[...entries].map(([guid, value]) => `${JSON.stringify(guid)}:${value}`).join(',')}}`;
}

function layoutObject(layout: JsonValue | undefined): JsonObject | undefined {
  if (typeof layout === 'string') return parseLayout(layout);
  return isJsonObject(layout) ? layout : undefined;
}

/** A JSON string, a bracket, a comma or a colon. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Returns the keys of an object in JSON text, each with the text of its value. */
function entriesOf(text: string): [string, string][] {
  const entries: [string, string][] = [];
  let depth = 0;
  let key: string | undefined;
  let start = 0;
  const end = (at: number) => {
    if (key !== undefined) entries.push([key, text.slice(start, at).trim()]);
    key = undefined;
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (depth === 1 && (token === ',' || token === '}')) end(index);
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === ':' && depth === 1) start = index + 1;
    else if (token.startsWith('"') && depth === 1 && key === undefined) key = JSON.parse(token) as string;
  }
  return entries;
}
