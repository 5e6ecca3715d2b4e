import { useEffect, useRef, useState } from 'react';
import type { Event } from '../../../../clients/typescript/api.js';
import { sentencesOf } from '../../text/problems.js';
import { findOlder } from './event-data.js';
import type { EventFilters } from './event-query.js';
import { type OlderPart, placeIn, type Walked, walkedOn } from './older-part.js';

/** Events that are compared at a time, before the person is asked again. */
export const MOST_AT_A_TIME = 10_000;

/** How far the search through older events has come. */
export interface OlderSearch {
  found: Event[];
  isBusy: boolean;
  /** Why it ended too early. */
  faults: string[];
  compared: number;
  /** All events that were or will be compared. */
  of: number;
  /** Whether none is left. */
  isOver: boolean;
}

/** Searches the older events of runs, page by page. It ends when it is stopped or the page is left. */
export function useOlderEvents(parts: readonly OlderPart[], filters: EventFilters) {
  const [walks, setWalks] = useState<ReadonlyMap<string, Walked>>(new Map());
  const [found, setFound] = useState<ReadonlyMap<number, Event>>(new Map());
  const [state, setState] = useState<{ isBusy: boolean; faults: string[] }>({ isBusy: false, faults: [] });
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  const start = async () => {
    const controller = new AbortController();
    stopping.current = controller;
    setState({ isBusy: true, faults: [] });
    try {
      let left = MOST_AT_A_TIME;
      for (const part of parts) {
        let walked = walks.get(part.guid);
        while (left > 0 && placeIn(part, walked) > 0 && !controller.signal.aborted) {
          const page = await findOlder(part, placeIn(part, walked), filters);
          const after = walkedOn(part, walked, page);
          walked = after;
          left -= Math.max(page.ids.length, 1);
          setWalks((before) => new Map(before).set(part.guid, after));
          setFound(
            (before) => new Map([...before, ...page.events.map((event) => [event.id, event] as const)]),
          );
        }
      }
      setState({ isBusy: false, faults: [] });
    } catch (error) {
      setState({ isBusy: false, faults: sentencesOf(error) });
    }
  };

  const compared = parts.reduce((sum, { guid }) => sum + (walks.get(guid)?.compared ?? 0), 0);
  const search: OlderSearch = {
    found: [...found.values()],
    ...state,
    compared,
    of: Math.max(
      compared,
      parts.reduce((sum, { left }) => sum + left, 0),
    ),
    isOver: parts.every((part) => placeIn(part, walks.get(part.guid)) === 0),
  };
  return { search, start, stop: () => stopping.current?.abort() };
}
