import type { JsonObject, JsonValue } from '../../platform/json.js';
import { mergedObjects } from '../../platform/json/ordered-object.js';
import { withGuid } from '../versions/restore-version.js';
import { AGENT_DEFAULTS } from '../export/export.js';
import { fromExtra } from '../export/export-form.js';
import type { StoredStory } from '../export/story-export-store.js';
import { sameJson } from '../diff/value-changes.js';
import { layoutOf } from '../diff/story-diff.js';
import { inputsOf } from './merge-inputs.js';
import { partsByKey, keptSide, mergedOrder, type PartMaps, textOrEmpty, threeOf } from './merge-parts.js';
import { mergeValue } from './merge-value.js';
import type { ConflictBook, MergePlace } from './conflict-book.js';
import { changedBy, type Side, type Three, UNKNOWN, viewed } from './three-way.js';

/** An action of a story with its place on the board, and its entries in `integrations`: its template inputs. */
export interface MergeAction extends Pick<StoredStory['agents'][number], 'columns' | 'extra'> {
  position: JsonValue | undefined;
  inputs: JsonValue[] | undefined;
}

/** The actions of the result, and those that one side had removed and that come back. */
export interface MergedActions {
  all: Map<string, MergeAction>;
  returned: Map<string, Side>;
  /** Actions that are gone because a conflict was decided so, or is open. */
  decided: Set<string>;
}

const COLUMNS = ['type', 'name', 'disabled', 'options', 'keep_events_for'];

/** Returns the actions of a story by their guids, in their order. */
export function actionsOf({ agents, extra }: StoredStory): Map<string, MergeAction> {
  const layout = layoutOf(extra);
  const guidIn = ({ columns }: Pick<MergeAction, 'columns'>) => textOrEmpty(columns.guid);
  const inputs = inputsOf(extra, new Set(agents.map(guidIn)));
  const actions = agents.map((agent): MergeAction => {
    const guid = guidIn(agent);
    return { ...agent, position: layout[guid], inputs: inputs.get(guid) };
  });
  return partsByKey(actions, guidIn);
}

/** Merges the actions of all states. An action that one side removed stays if the other one has changed it, and that is chosen. */
export function mergeActions(maps: PartMaps<MergeAction>, book: ConflictBook): MergedActions {
  const result: MergedActions = { all: new Map(), returned: new Map(), decided: new Set() };
  for (const guid of mergedOrder(maps)) {
    const three = threeOf(maps, guid);
    const shown = viewed(three, exported);
    const place: MergePlace = { kind: 'action', part: guid, action: nameOf(three), path: null };
    const side = keptSide(shown, { place, shown }, book);
    const { base, live, draft } = three;
    if (side === 'none') {
      if (base === UNKNOWN || !isUntouched(shown)) result.decided.add(guid);
      continue;
    }
    if (side !== 'both' && base !== undefined) result.returned.set(guid, side);
    const action = live && draft ? mergeAction({ base, live, draft }, place, book) : (live ?? draft);
    if (action !== undefined) result.all.set(guid, action);
  }
  return result;
}

/** Returns true if no side has changed what the other one removed. */
function isUntouched({ base, live, draft }: Three): boolean {
  const left = live ?? draft;
  return left === undefined || (base !== UNKNOWN && sameJson(left, base));
}

/** Actions of different types have nothing in common that could be merged. */
function mergeAction(
  three: Three<MergeAction> & { live: MergeAction; draft: MergeAction },
  place: MergePlace,
  book: ConflictBook,
): MergeAction {
  const { live, draft } = three;
  if (live.columns.type !== draft.columns.type) return oneOf(three, place, book);
  const at = (path: string | null): MergePlace => ({ ...place, kind: kindOf(path), path });
  const columns = COLUMNS.map((key): [string, JsonValue] => [
    key,
    mergeValue(
      viewed(three, ({ columns: all }) => all[key] ?? null),
      at(key),
      book,
    ) ?? null,
  ]);
  const origin = live.extra.guid;
  const extras = viewed(three, ({ extra }): JsonValue => withGuid(extra, origin));
  return {
    columns: { ...live.columns, ...Object.fromEntries(columns) },
    extra: mergeValue(extras, at(null), book) as JsonObject,
    position: mergeValue(viewed(three, positionOf), at('position'), book),
    inputs: listIn(mergeValue(viewed(three, inputsIn), at('integrations'), book)),
  };
}

function kindOf(path: string | null): MergePlace['kind'] {
  return path === 'options' ? 'option' : 'action';
}

function oneOf(
  three: Three<MergeAction> & { live: MergeAction; draft: MergeAction },
  place: MergePlace,
  book: ConflictBook,
): MergeAction {
  const { live, draft } = three;
  const shown = viewed(three, exported);
  const by = changedBy(shown);
  const side = by === 'both' ? book.settle(place, shown) : by;
  return side === 'live' ? live : draft;
}

/** The name that the conflict is told by: that of the draft, else that of the live story. */
function nameOf({ live, draft }: Three<MergeAction>): string {
  return textOrEmpty((draft ?? live)?.columns.name);
}

function positionOf({ position }: MergeAction): JsonValue | undefined {
  return position;
}

function inputsIn({ inputs }: MergeAction): JsonValue | undefined {
  return inputs;
}

function listIn(value: JsonValue | undefined): JsonValue[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** Returns the action as an export has it, with its place and its entries in `integrations`. The guid of the export that it came from is no content. */
function exported({ columns, extra, position, inputs }: MergeAction): JsonObject {
  const { guid: _guid, ...own } = columns;
  const form = fromExtra(withGuid(extra, undefined), own, AGENT_DEFAULTS);
  return mergedObjects(form, {
    ...(position !== undefined && { position }),
    ...(inputs !== undefined && { integrations: inputs }),
  });
}
