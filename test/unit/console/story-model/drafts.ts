import type { GraphAction, StoredGraphAction, StoryGraph } from '../../../../clients/typescript/api.js';
import { fromGraph } from '../../../../src/console/story-model/graph-draft.js';
import type { Command, StoryDraft } from '../../../../src/console/story-model/story-draft.js';

/** Returns an action as the server has it. */
export function action(id: number, name: string, more: Partial<GraphAction> = {}): StoredGraphAction {
  return {
    type: 'Agents::TriggerAgent',
    name,
    guid: `guid-${id}`,
    options: { payload: { text: `{{ .${name} }}` } },
    position: { x: 0, y: id * 90 },
    ...more,
    id,
  };
}

/** A story of three actions in a row, the first a webhook, with a note. */
export const GRAPH = {
  story_id: 12,
  version: 7,
  agents: [action(1, 'Receive', { type: 'Agents::WebhookAgent' }), action(2, 'Ask'), action(3, 'Send')],
  links: [
    { source: 0, receiver: 1, colour: 'red' },
    { source: 1, receiver: 2, link_type: 'failure' },
  ],
  notes: [{ id: 5, content: '# Triage', position: { x: 30, y: -60 } }],
} as StoryGraph;

/** That story as a draft. */
export const DRAFT = fromGraph(GRAPH);
/** The keys of its links. */
export const [TO_ASK = '', TO_SEND = ''] = DRAFT.links.keys();

/** Returns the draft after these commands. */
export function after(draft: StoryDraft, ...commands: Command[]): StoryDraft {
  return commands.reduce((done, command) => command(done).draft, draft);
}
