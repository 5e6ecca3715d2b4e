import { stringifyJson } from '../../../platform/json/exact-number.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { StoryGraph } from '../../graph/story-graph.js';
import type { StoredStory } from '../../export/story-export-store.js';
import { readStepContent } from '../step-content.js';
import { hasLocalChanges } from '../updates/update-story-task.js';
import { usesIn } from './step-uses.js';

/** The parts of stories that came from a step, and the versions that they came from, as texts. */
export interface ComparedUse {
  stepGuid: string;
  /** By number. */
  contents: (readonly [number, string])[];
  /** By id of the story, as the parts. */
  languages: (readonly [number, StoryGraph['language']])[];
  parts: (readonly [number, string])[];
}

/** Returns the ids of the stories of which it is known whether they have changed what they took, and whether they have. Pure. */
export function compareUses({ stepGuid, contents, languages, parts }: ComparedUse): [number, boolean][] {
  const known = new Set(contents.map(([number]) => number));
  const language = new Map(languages);
  // Notes and inputs of actions stand in the story, which is not at hand.
  const bare = contents.map(([number, text]): [number, string] => [number, actionsOf(text)]);
  return parts.flatMap(([id, text]): [number, boolean][] => {
    const part = parseJson(text) as unknown as StoredStory;
    const [{ version } = { version: -1 }] = usesIn(part, stepGuid);
    if (!known.has(version)) return [];
    const work = { language: language.get(id) ?? 'formula', stepGuid, contents: bare, version } as const;
    const isChanged = hasLocalChanges(part, work);
    return isChanged === undefined ? [] : [[id, isChanged]];
  });
}

function actionsOf(text: string): string {
  const content = readStepContent(text);
  const agents = content.agents.map(({ action_inputs: _inputs, ...agent }) => agent);
  return stringifyJson({ ...content, agents, notes: [] });
}
