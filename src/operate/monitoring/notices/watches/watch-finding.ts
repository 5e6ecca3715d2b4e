import type { ActionWatch } from './action-watch-store.js';
import type { WatchedAction, WatchedStory } from './watched-action-store.js';

/** A fact about an action that is to be reported. */
export interface WatchFinding {
  action: WatchedAction;
  watch: ActionWatch;
  isSilent: boolean;
  hasEmitted: boolean;
}

/** Returns the findings to report, by story. */
export function findingsOf(
  actions: readonly WatchedAction[],
  watches: ReadonlyMap<number, ActionWatch>,
): Map<WatchedStory, WatchFinding[]> {
  const stories = new Map<number, { story: WatchedStory; findings: WatchFinding[] }>();
  for (const action of actions) {
    const watch = watches.get(action.agentId);
    const finding = watch && findingOf(action, watch);
    if (finding === undefined) continue;
    const { story } = action;
    const known = stories.get(story.id) ?? { story, findings: [] };
    known.findings.push(finding);
    stories.set(story.id, known);
  }
  return new Map([...stories.values()].map(({ story, findings }) => [story, findings]));
}

function findingOf(action: WatchedAction, watch: ActionWatch): WatchFinding | undefined {
  const { allEvents, silentSeconds } = action;
  const isSilent = silentSeconds !== undefined && watch.quietSeconds >= silentSeconds && !watch.toldSilence;
  const hasEmitted = allEvents && watch.eventId > watch.toldEventId;
  return isSilent || hasEmitted ? { action, watch, isSilent, hasEmitted } : undefined;
}
