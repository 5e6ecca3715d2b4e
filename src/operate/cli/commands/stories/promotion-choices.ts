import { isJsonObject, type JsonObject } from '../../../../platform/json.js';
import type { PromotionCheck } from './promotion-text.js';

type Side = 'incoming' | 'live';

/** The side that counts in conflicts of a story. */
export interface Take {
  side: Side;
  /** Name or guid of the story; undefined: all that no other names. */
  story: string | undefined;
}

/** A choice as the body of a promotion has it. */
export interface PromotionChoice {
  source_guid: string;
  leave_out?: boolean;
  resolve_rest?: { take: Side; live_version: number };
}

/** Reads `--take`: `live`, or `incoming=Triage`. @throws Error for another side. */
export function readTakes(given: readonly string[]): Take[] {
  return given.map((text) => {
    const at = text.indexOf('=');
    const side = at < 0 ? text : text.slice(0, at);
    if (side !== 'incoming' && side !== 'live')
      throw new Error(`--take is incoming or live, or incoming=NAME for one story, not "${text}"`);
    return { side, story: at < 0 ? undefined : text.slice(at + 1) };
  });
}

/** Returns the stories of the bundle with these names or guids. @throws Error for a name that none has. */
export function leftOutStories(
  { stories }: JsonObject,
  names: readonly string[],
): { guid: string; name: string }[] {
  const all = (Array.isArray(stories) ? stories.filter(isJsonObject) : []).flatMap(({ guid, name }) =>
    typeof guid === 'string' && typeof name === 'string' ? [{ guid, name }] : [],
  );
  return names.flatMap((name) => {
    const found = all.filter((story) => story.name === name || story.guid === name);
    if (found.length === 0) throw new Error(`no story of the bundle is named "${name}"`);
    return found;
  });
}

/** Returns the choices for the stories with conflicts. @throws Error for a name that no story has. */
export function chosenStories({ stories }: PromotionCheck, takes: readonly Take[]): PromotionChoice[] {
  for (const { story } of takes)
    if (story !== undefined && !stories.some((each) => isNamed(each, story)))
      throw new Error(`no story of the bundle is named "${story}"`);
  return stories.flatMap((each): PromotionChoice[] => {
    const own = takes.findLast(({ story }) => story !== undefined && isNamed(each, story));
    const side = (own ?? takes.findLast(({ story }) => story === undefined))?.side;
    if (side === undefined || each.live_version === null || each.conflict_count === 0) return [];
    const rest = { take: side, live_version: each.live_version };
    return [{ source_guid: each.source_guid, resolve_rest: rest }];
  });
}

function isNamed(story: PromotionCheck['stories'][number], name: string): boolean {
  return story.name === name || story.source_guid === name;
}
