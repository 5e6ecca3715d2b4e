import type { GraphAction } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { type Fragment, pastedNames } from '../../../story-model/fragment/fragment.js';
import type { StoryDraft } from '../../../story-model/story-draft.js';
import { slugOf } from '../../../text/action-slug.js';

/** An action of a fragment, by its place, and the name that it gets. */
interface NewName {
  index: number;
  name: string;
}

/** Returns the new names to which references inside of the fragment may have to follow; none if nothing names the actions. */
export function referencedNames(draft: StoryDraft, { agents, notes }: Fragment): NewName[] {
  const names = pastedNames(draft, agents);
  const renamed = agents.flatMap((agent, index): NewName[] => {
    const name = names[index] ?? agent.name;
    return name === agent.name ? [] : [{ index, name }];
  });
  if (renamed.length === 0) return [];
  const text = JSON.stringify([
    agents.map(({ options, action_inputs: inputs, record_writers: writers }) => [options, inputs, writers]),
    notes.map(({ content }) => content),
  ]);
  return renamed.filter(({ index }) => text.includes(slugOf(agents[index]?.name ?? '')));
}

/**
 * Returns the fragment with these names, and with references in the place of those to the names before. Nothing is stored.
 * @throws FabulaError, FabulaConnectionError.
 */
export async function withNewNames(
  storyId: number,
  fragment: Fragment,
  renames: NewName[],
): Promise<Fragment> {
  const { agents, links, notes } = fragment;
  const found = await api.stories.renamesPreview({
    story_id: storyId,
    agents: [...agents],
    links: [...links],
    notes: [...notes],
    renames,
  });
  const changed = new Map(found.agents.map(({ index, guid: _guid, ...fields }) => [index, fields]));
  const texts = new Map(found.notes.map(({ index, content }) => [index, content]));
  return {
    ...fragment,
    agents: agents.map((agent, at) => ({ ...agent, ...(changed.get(at) as Partial<GraphAction>) })),
    notes: notes.map((note, at) => ({ ...note, content: texts.get(at) ?? note.content })),
  };
}
