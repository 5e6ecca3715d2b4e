import type { ActiveStory, GraphAction } from '../../../../../clients/typescript/api.js';
import { freeName } from '../../../story-model/action-names.js';
import type { StoryDraft } from '../../../story-model/story-draft.js';
import { slugOf } from '../../../text/action-slug.js';
import { formulaOf, liquidOf } from '../../../ui/json-view/value-path.js';
import { isObject } from '../../../request-import/literal-text.js';

/** The settings by which webhooks of a story respond with its result. */
type Answering = Pick<
  ActiveStory,
  'synchronous_webhooks_enabled' | 'api_entry_action_ids' | 'api_exit_action_ids' | 'exit_agents'
>;

const NAME = 'Answer';

/** Returns an action that answers the calls of a webhook with a first field of their body, for people to change. */
export function answerAction(
  { actions }: StoryDraft,
  webhook: GraphAction,
  { body, language }: { body: unknown; language: 'formula' | 'liquid' },
): GraphAction {
  const [field] = isObject(body)
    ? Object.entries(body).flatMap(([key, value]) => (typeof value === 'string' ? [key] : []))
    : [];
  const steps = [slugOf(webhook.name), 'body', ...(field === undefined ? [] : [field])];
  const value = language === 'liquid' ? liquidOf(steps) : formulaOf(steps);
  return {
    type: 'Agents::EventTransformationAgent',
    name: freeName(
      NAME,
      [...actions.values()].map(({ name }) => name),
    ),
    options: { mode: 'message_only', payload: { message: `Received ${value}` } },
  };
}

/** Returns the ids of the actions whose first event callers of a webhook get; none if they do not wait for one. */
export function answersOf(story: Answering, webhookId: number): readonly number[] {
  const { synchronous_webhooks_enabled: waits, api_entry_action_ids: entries } = story;
  if (!waits || (entries.length > 0 && !entries.includes(webhookId))) return [];
  return story.api_exit_action_ids.length > 0 ? story.api_exit_action_ids : story.exit_agents;
}

/** Returns the settings by which callers of a webhook get the first event of one more action. */
export function withAnswer(story: Answering, webhookId: number, actionId: number) {
  const { synchronous_webhooks_enabled: waits, api_entry_action_ids: entries } = story;
  const all = waits && entries.length === 0;
  return {
    synchronous_webhooks_enabled: true,
    // Other webhooks of the story go on as they are.
    api_entry_action_ids: all ? [] : [...new Set([...(waits ? entries : []), webhookId])],
    api_exit_action_ids: [
      ...new Set([
        ...(story.api_exit_action_ids.length > 0 || !waits ? story.api_exit_action_ids : story.exit_agents),
        actionId,
      ]),
    ],
  };
}

/** Returns the response that callers get for the payload of an answer (docs/use/webhooks.md, Responses). */
export function responseIn(payload: unknown): { status: number; body: unknown } {
  if (!isObject(payload)) return { status: 200, body: payload };
  const { status, body, headers: _headers, ...others } = payload;
  const code = Number(status);
  const isShaped = Object.keys(others).length === 0 && body !== undefined && code >= 200 && code <= 599;
  return isShaped ? { status: code, body } : { status: 200, body: payload };
}
