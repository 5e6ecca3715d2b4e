/** The events of a run that a search has not compared: all up to an id. */
export interface OlderPart {
  guid: string;
  storyId: number;
  untilId: number;
  /** How many there are, up to 100,000. */
  left: number;
}

/** Events of such a part that were compared since: from `top` down to above `next`; 0: down to the first. */
export interface Walked {
  top: number;
  next: number;
  compared: number;
}

/** Returns the id from which a part is read on; 0: all of it was compared. */
export function placeIn({ untilId }: OlderPart, walked: Walked | undefined): number {
  // Events that came meanwhile moved others down into this part: those are compared first.
  return walked === undefined || untilId > walked.top ? untilId : walked.next;
}

/** Returns what was compared of a part after a page from `placeIn` down, the newest first. `isLast`: no older one follows. */
export function walkedOn(
  part: OlderPart,
  walked: Walked | undefined,
  { ids, isLast }: { ids: readonly number[]; isLast: boolean },
): Walked {
  const last = ids.at(-1);
  const reached = isLast || last === undefined ? 0 : last - 1;
  const compared = (walked?.compared ?? 0) + ids.length;
  const top = Math.max(part.untilId, walked?.top ?? 0);
  const joins = walked !== undefined && reached <= walked.top;
  return { top, next: joins ? Math.min(reached, walked.next) : reached, compared };
}
