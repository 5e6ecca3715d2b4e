import type { JsonValue } from '../../../platform/json.js';
import { mergedObjects } from '../../../platform/json/ordered-object.js';
import { slugOf } from '../../../platform/text/slug.js';
import { allStories, type ImportRequest, namesCalledBy, type StoryExport } from '../../../stories/face.js';

/** A story with all that it calls, as far as the given files have it. */
export interface WholeStory {
  request: ImportRequest;
  /** Why calls of it fail, each a sentence. */
  lacking: string[];
}

/** Finds called stories among those of the given files, embedded ones included: by name, as a template does. */
export function createCalledStories(requests: readonly ImportRequest[]) {
  const byName = new Map<string, StoryExport>();
  for (const { newName, data } of requests) {
    for (const story of allStories(data)) {
      for (const name of story === data ? [newName, data.name] : [story.name])
        if (!byName.has(keyOf(name))) byName.set(keyOf(name), story);
    }
  }
  const isGiven = (name: string) => byName.has(keyOf(name));

  return {
    /** Returns the story with the others embedded in it that it calls, or that these call. */
    wholeOf(request: ImportRequest): WholeStory {
      const present = allStories(request.data);
      const known = new Set([request.newName, ...present.map(({ name }) => name)].map(keyOf));
      const lacking = new Set<string>();
      const others: StoryExport[] = [];
      const open = [...present];
      for (let story = open.pop(); story !== undefined; story = open.pop()) {
        for (const name of namesCalledBy(story, isGiven)) {
          const key = keyOf(name);
          if (known.has(key)) continue;
          known.add(key);
          const found = byName.get(key);
          if (found === undefined) lacking.add(lackingText(name));
          else {
            others.push(mergedObjects<JsonValue>(found, { send_to_stories: [] }) as StoryExport);
            open.push(found);
          }
        }
      }
      return { request: withEmbedded(request, others), lacking: [...lacking] };
    },
  };
}

function withEmbedded(request: ImportRequest, others: readonly StoryExport[]): ImportRequest {
  if (others.length === 0) return request;
  const { send_to_stories: own } = request.data;
  const all = [...(Array.isArray(own) ? own : []), ...others];
  return {
    ...request,
    data: mergedObjects<JsonValue>(request.data, { send_to_stories: all }) as StoryExport,
  };
}

const keyOf = (name: string): string => slugOf(name) || name.trim();

function lackingText(name: string): string {
  return /^\d+$/.test(name)
    ? `The story calls another by its number ${name}, which only its server knows: call it by name, such as =STORY.its_name, and give its file too`
    : `The story calls "${name}", which none of the given files holds: give its file too`;
}
