import type { StoryPresence } from '../../../../../clients/typescript/api.js';
import { isolated } from '../../../text/isolated.js';

/** Somebody else who has the story or a draft of it open. */
export type PresentPerson = StoryPresence['people'][number];

/** What is open here, and how its actions and the drafts are called. */
export interface OpenHere {
  draftId: number | undefined;
  nameOf: (actionGuid: string) => string | undefined;
  draftNameOf: (draftId: number) => string | undefined;
}

/** Returns the first letters of a name: `AF` for `Ana Maria Flores`. */
export function initialsOf(name: string): string {
  const letters = name
    .split(/[\s._-]+/)
    .flatMap((word) => /^./u.exec(word) ?? [])
    .map((letter) => letter.toUpperCase());
  return letters.length < 2 ? letters.join('') : `${letters[0]}${letters.at(-1)}`;
}

/** Returns what a person does, to stand behind the name: `is here, editing Ask`. */
export function presenceWords(
  { draft_id: draftId, action_guid: guid }: PresentPerson,
  { draftId: openId, nameOf, draftNameOf }: OpenHere,
): string {
  const action = guid === null ? undefined : nameOf(guid);
  const editing = action === undefined ? '' : `, editing ${isolated(action)}`;
  if (draftId === (openId ?? null)) return `is here${editing}`;
  if (draftId === null) return `is in the live story${editing}`;
  const draft = draftNameOf(draftId);
  return `is in ${draft === undefined ? 'another draft' : `the draft ${isolated(draft)}`}${editing}`;
}

/** Returns who has chosen which action of what is open here: names by the guid of the action. */
export function chosenByOthers(
  people: readonly PresentPerson[],
  openId: number | undefined,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, draft_id: draftId, action_guid: guid } of people) {
    if (guid === null || draftId !== (openId ?? null)) continue;
    const before = names.get(guid);
    names.set(guid, before === undefined ? isolated(name) : `${before}, ${isolated(name)}`);
  }
  return names;
}

/** Returns what is told when people come or go: `Ana Flores is here.` Undefined if the same are there. */
export function arrivalWords(
  before: readonly PresentPerson[],
  now: readonly PresentPerson[],
): string | undefined {
  const came = namesBeside(now, before).map((name) => `${isolated(name)} is here.`);
  const left = namesBeside(before, now).map((name) => `${isolated(name)} has left.`);
  const all = [...came, ...left];
  return all.length === 0 ? undefined : all.join(' ');
}

const namesBeside = (some: readonly PresentPerson[], others: readonly PresentPerson[]) =>
  some.flatMap(({ name }) => (others.some((other) => other.name === name) ? [] : [name]));
