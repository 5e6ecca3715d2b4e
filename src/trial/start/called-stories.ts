import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { slugOf } from '../../platform/text/slug.js';
import type { StoryGraph } from '../../stories/face.js';
import { type StoryText, textOfStory } from './trial-stories.js';
import type { TrialAction } from './trial-values.js';

const CALLS = 'Agents::SendToStoryAgent';
const MOST_STORIES = 50;
const MOST_CHARACTERS = 8 * 1024 * 1024;

export interface CalledStoriesDeps {
  find(id: number): Promise<StoryGraph | undefined>;
  /** Ids of the team's stories by name and slug. */
  stories: ReadonlyMap<string, JsonValue>;
  /** The team whose stories have these names. */
  teamId: number;
  /** Whether the actor may see the stories of a team. */
  maySee: (teamId: number) => boolean;
}

/** A story that may be called, and its JSON. */
export interface FoundStory {
  story: StoryGraph;
  written: StoryText;
}

/**
 * Returns the stories that these actions may call, and those that these call, as far as their names or ids stand in the
 * options, and those with these ids. A trial asks for the others when it calls them.
 */
export async function calledStories(
  actions: Iterable<TrialAction>,
  ids: number[],
  deps: CalledStoriesDeps,
): Promise<FoundStory[]> {
  const found = new Map<number, FoundStory | undefined>();
  let wanted = new Set([...ids, ...namedIn(actions, deps)]);
  let characters = 0;
  while (wanted.size > 0) {
    const next = new Set<number>();
    for (const id of wanted) {
      if (found.has(id) || found.size >= MOST_STORIES) continue;
      const graph = await deps.find(id);
      found.set(id, undefined);
      if (graph === undefined || !deps.maySee(graph.teamId)) continue;
      const written = await textOfStory(graph);
      found.set(id, { story: graph, written });
      characters += written.text.length;
      if (characters > MOST_CHARACTERS) return kept(found);
      if (graph.teamId !== deps.teamId) continue;
      for (const named of namedIn(graph.agents.values(), deps)) next.add(named);
    }
    wanted = next;
  }
  return kept(found);
}

function kept(found: Map<number, FoundStory | undefined>): FoundStory[] {
  return [...found.values()].filter((story) => story !== undefined);
}

/** `{% story Name of it %}` */
const STORY_TAG = /\{%-?\s*story\s+(.*?)\s*-?%\}/gs;
const QUOTED = /["'](.*?)["']/gs;
const WORD = /([\p{L}\p{N}_-]+)/gu;

/** A name stands alone, or in a template as word, in quotes or in a tag. */
function* namedIn(actions: Iterable<TrialAction>, { stories }: CalledStoriesDeps): Generator<number> {
  for (const { type, options } of actions) {
    const story = type === CALLS && isJsonObject(options) ? options.story : undefined;
    if (story === undefined) continue;
    const text = typeof story === 'string' ? story : stringifyJson(story);
    if (/^\s*\d+\s*$/.test(text)) yield Number(text);
    const inside = [STORY_TAG, QUOTED, WORD].flatMap((form) =>
      [...text.matchAll(form)].map(([, name = '']) => name),
    );
    for (const name of [text.trim(), ...inside]) {
      const id = stories.get(name) ?? stories.get(slugOf(name));
      if (typeof id === 'number') yield id;
    }
  }
}
