import type { DeadLetterGroup } from '../../../../clients/typescript/api.js';
import { failureName, failureText, lettersSince, pageLink } from '../cases/failure-case.js';
import type { CaseStart } from '../cases/new-case-dialog.js';
import { runPath } from '../runs/run-words.js';
import { actionNameOf, causeOfGroup } from './group-table.js';
import { letterPath } from './letter-filters.js';

/** Returns the beginning of a case about a group of dead letters: its cause, and links to all that belongs to it. */
export function groupCase(group: DeadLetterGroup): CaseStart {
  const { team_id: teamId, story_id: storyId, story_name: storyName, story_run_guid: guid } = group;
  const { agent_id: actionId, error_kind: kind, dead_letters: count, first_failed_at: first } = group;
  const cause = causeOfGroup(group);
  const path = letterPath({ group: { storyId, actionId, kind } });
  return {
    teamId,
    name: failureName(storyName, cause),
    description: failureText(cause, [
      `Action: ${actionNameOf(group)}`,
      `Story: ${pageLink(storyName, `/stories/${storyId}`)}`,
      `Same error: ${pageLink(lettersSince(count, first), path)}, the last at ${group.last_failed_at}`,
      ...(guid === null ? [] : [`Newest run: ${pageLink(guid, runPath({ story_id: storyId, guid }))}`]),
    ]),
  };
}
