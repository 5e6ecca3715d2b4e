import type { GraphAction } from '../../../clients/typescript/api.js';
import { slugOf } from '../text/action-slug.js';
import type { StoryDraft } from './story-draft.js';

const WEBHOOK_TYPE = 'Agents::WebhookAgent';

/** Whether an action emits what it is called with, instead of receiving it. */
export const isWebhook = ({ type }: Pick<GraphAction, 'type'>): boolean => type === WEBHOOK_TYPE;

/** Returns the action that a payload begins at: the first webhook, else the first one that no link leads to. */
export function entryOf({ actions, links }: StoryDraft): GraphAction | undefined {
  const all = [...actions];
  const webhook = all.find(([, action]) => isWebhook(action) && action.disabled !== true);
  if (webhook !== undefined) return webhook[1];
  const received = new Set([...links.values()].map(({ receiver }) => receiver));
  return all.find(([key]) => !received.has(key))?.[1];
}

/** Returns what the actions behind an entry see of a payload. */
export function inputOfPayload(
  entry: GraphAction | undefined,
  payload: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return entry !== undefined && isWebhook(entry) ? { [slugOf(entry.name)]: payload } : payload;
}
