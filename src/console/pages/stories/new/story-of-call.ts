import type { ImportStoryBody } from '../../../../../clients/typescript/api.js';
import { newGuid } from '../../../story-model/story-draft.js';

/** The version of exports whose templates are formulas, as those of a new story are. */
const FORMULAS = 30;

/** A story to make of a call, and the call as a payload of its webhook, as JSON text. */
interface StoryOfCall {
  story: ImportStoryBody;
  payload: string;
}

/**
 * Returns a story that begins with the webhook which a pasted `curl` command calls.
 * @throws Error with a sentence for a text that is no such command.
 */
export async function storyOfCall(
  call: string,
  { name, teamId }: { name: string; teamId: number },
): Promise<StoryOfCall> {
  // The parser is read when somebody pastes a call.
  const { importWebhookCall } = await import('../../../request-import/import-curl.js');
  const found = importWebhookCall(call);
  if (found.kind === 'none') throw new Error(found.message);
  const webhook = {
    type: 'Agents::WebhookAgent',
    name: found.name,
    guid: newGuid(),
    disabled: false,
    options: { verbs: found.method },
  };
  const story = {
    new_name: name,
    team_id: teamId,
    data: { schema_version: FORMULAS, name, guid: newGuid(), agents: [webhook], links: [] },
  };
  return { story, payload: JSON.stringify({ body: found.body }, undefined, 2) };
}
