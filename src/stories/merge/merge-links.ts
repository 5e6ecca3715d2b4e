import type { JsonObject } from '../../platform/json.js';
import type { StoredStory } from '../export/story-export-store.js';
import type { MergeAction, MergedActions } from './merge-actions.js';
import { partsByKey, keptSide, mergedOrder, type PartMaps, textOrEmpty, threeOf } from './merge-parts.js';
import { mergeValue } from './merge-value.js';
import type { ConflictBook, MergePlace } from './conflict-book.js';
import { type Side, type Three, viewed } from './three-way.js';

/** A link with the guids of its ends in place of their ids. */
export interface Link {
  source: string;
  receiver: string;
  type: string | null;
  extra: JsonObject;
}

/** The actions of all states, for names, and those of the result. */
export interface LinkEnds {
  actions: PartMaps<MergeAction>;
  merged: MergedActions;
}

/** Returns the links of a story by their ends and type, in their order. */
export function linksOf({ agents, links }: StoredStory): Map<string, Link> {
  const guids = new Map(agents.map(({ id, columns }) => [id, textOrEmpty(columns.guid)]));
  const named = links.flatMap(({ sourceId, receiverId, linkType, extra }): Link[] => {
    const [source, receiver] = [guids.get(sourceId), guids.get(receiverId)];
    if (source === undefined || receiver === undefined) return [];
    return [{ source, receiver, type: linkType, extra }];
  });
  return partsByKey(named, ({ source, receiver, type }) => [source, receiver, type ?? ''].join(' '));
}

/**
 * Brings back the actions that a new link of one side needs and that the other side removed, if that is chosen: the first such
 * link of an action is a conflict, which names the others.
 */
export function keepNeededEnds(links: PartMaps<Link>, ends: LinkEnds, book: ConflictBook): void {
  const needing = mergedOrder(links).flatMap((key) => needOf(key, links, ends) ?? []);
  for (const need of needing) {
    const { key, three, side } = need;
    const missing = missingEnds(need.link, ends);
    if (missing.length === 0 || missing.some((guid) => ends.merged.decided.has(guid))) continue;
    const others = needing.filter(
      (other) =>
        other !== need && other.side === side && endsOf(other.link).some((guid) => missing.includes(guid)),
    );
    const because = `${otherName(side)} has removed an action that this link needs${alsoNeeding(others, ends)}`;
    const chosen = book.settle(
      placeOf(key),
      viewed(three, (each) => shownLink(each, ends)),
      because,
    );
    for (const guid of missing) bringBack(guid, chosen === side ? side : undefined, ends);
  }
}

/** A new link of one side whose end the other side has removed. */
interface Need {
  key: string;
  three: Three<Link>;
  side: Side;
  link: Link;
}

function needOf(key: string, links: PartMaps<Link>, ends: LinkEnds): Need | undefined {
  const three = threeOf(links, key);
  const side = three.live === undefined ? 'draft' : 'live';
  const link = three[side];
  if (link === undefined || three.base !== undefined || missingEnds(link, ends).length === 0)
    return undefined;
  return { key, three, side, link };
}

const endsOf = ({ source, receiver }: Link): string[] => [source, receiver];

function missingEnds(link: Link, { merged }: LinkEnds): string[] {
  return endsOf(link).filter((guid) => !merged.all.has(guid));
}

type ShownLink = { source: string; receiver: string; link_type: string | null };

/** Most other links that a conflict names. */
const MOST_OTHERS = 5;

/** Returns the words for the links that come or go with the first one; empty if there are none. */
function alsoNeeding(others: readonly Need[], ends: LinkEnds): string {
  if (others.length === 0) return '';
  const named = others.slice(0, MOST_OTHERS).map(({ link }) => {
    const { source, receiver } = shownLink(link, ends);
    return `"${source}" → "${receiver}"`;
  });
  const more = others.length > MOST_OTHERS ? [`${others.length - MOST_OTHERS} more`] : [];
  return `, as do ${[...named, ...more].join(', ')}`;
}

/** Takes an action from a side that still has it; without a side it stays away. */
export function bringBack(guid: string, side: Side | undefined, { actions, merged }: LinkEnds): void {
  const action = side && actions[side].get(guid);
  if (side === undefined || action === undefined) {
    merged.decided.add(guid);
    return;
  }
  merged.all.set(guid, action);
  merged.returned.set(guid, side);
}

/** Returns the links of the result: those whose ends are there. An action that comes back has the links of its side. */
export function mergeLinks(links: PartMaps<Link>, ends: LinkEnds, book: ConflictBook): Link[] {
  const { all, returned } = ends.merged;
  return mergedOrder(links).flatMap((key): Link[] => {
    const three = threeOf(links, key);
    const some = three.live ?? three.draft;
    if (some === undefined || !all.has(some.source) || !all.has(some.receiver)) return [];
    const owner = returned.get(some.source) ?? returned.get(some.receiver);
    if (owner !== undefined) return [three[owner] ?? []].flat();
    return mergeLink(key, three, { ends, book });
  });
}

function mergeLink(
  key: string,
  three: Three<Link>,
  { ends, book }: { ends: LinkEnds; book: ConflictBook },
): Link[] {
  const place = placeOf(key);
  const extras = viewed(three, ({ extra }) => extra);
  const shown = viewed(three, (link) => shownLink(link, ends));
  const side = keptSide(extras, { place, shown }, book);
  if (side === 'none') return [];
  const { live, draft } = three;
  if (side !== 'both' || live === undefined || draft === undefined) return [live ?? draft ?? []].flat();
  return [{ ...draft, extra: mergeValue(extras, place, book) as JsonObject }];
}

function placeOf(part: string): MergePlace {
  return { kind: 'link', part, action: null, path: null };
}

function shownLink({ source, receiver, type }: Link, { actions }: LinkEnds): ShownLink {
  const nameOf = (guid: string) =>
    textOrEmpty((actions.draft.get(guid) ?? actions.live.get(guid) ?? actions.base?.get(guid))?.columns.name);
  return { source: nameOf(source), receiver: nameOf(receiver), link_type: type };
}

/** Returns the words for the side that is not this one. */
export function otherName(side: Side): string {
  return side === 'draft' ? 'the live story' : 'the draft';
}
