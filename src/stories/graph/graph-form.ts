import type { JsonObject, JsonValue } from '../../platform/json.js';
import { isJsonObject } from '../../platform/json.js';
import { inSlices, mapSteps, type Steps } from '../../platform/steps.js';
import { mergedObjects } from '../../platform/json/ordered-object.js';
import { actionInputsIn } from '../agents/mentions/action-inputs.js';
import { positionOf, layoutPositions } from '../agents/write/layout.js';
import { exportSteps } from '../export/export.js';
import type { NumberedNotes } from '../notes/story-notes.js';
import type { StoredStory } from '../export/story-export-store.js';

/** Returns actions, links and notes of a story in the form that a whole graph is given and taken in (spec §3.14). */
export function graphForm(
  story: StoredStory,
  shown: { version: number; numbered: NumberedNotes },
): Promise<JsonObject> {
  return inSlices(graphSteps(story, shown));
}

function* graphSteps(
  story: StoredStory,
  { version, numbered }: { version: number; numbered: NumberedNotes },
): Steps<JsonObject> {
  const { agents, links } = (yield* exportSteps(story)) as { agents: JsonObject[]; links: JsonValue };
  const places = layoutPositions(story.extra.diagram_layout);
  const inputs = actionInputsIn(story.extra);
  return {
    story_id: story.id,
    version,
    agents: yield* mapSteps(agents, (agent, index) => {
      const place = typeof agent.guid === 'string' ? places.get(agent.guid) : undefined;
      const given = typeof agent.guid === 'string' ? inputs.get(agent.guid) : undefined;
      const own = {
        id: story.agents[index]?.id ?? null,
        position: place === undefined ? null : { ...place },
        ...(given !== undefined && given.length > 0 && { action_inputs: [...given] }),
      };
      return mergedObjects<JsonValue>({ id: null }, mergedObjects(agent, own));
    }),
    links,
    notes: (yield* mapSteps(numbered.notes, (note, index) => {
      if (!isJsonObject(note)) return [];
      const place = positionOf(note.position);
      const own = { id: numbered.ids[index] ?? null, ...(place && { position: { ...place } }) };
      return [mergedObjects<JsonValue>({ id: null }, mergedObjects(note, own))];
    })).flat(),
  };
}
