import '../../ui/lists/table.css';
import { Link } from 'wouter';
import type { DeadLetterGroup } from '../../../../clients/typescript/api.js';
import { countWords } from '../../ui/words/figures.js';
import { Time } from '../../ui/words/time.js';
import { type LetterFilters, letterPath } from './letter-filters.js';
import { isolated } from '../../text/isolated.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';

/** One line for each group: where it failed, how, how often, and between which times. */
export function GroupTable({ groups, filters }: { groups: DeadLetterGroup[]; filters: LetterFilters }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="fill">Action and error type</th>
          <th className="number">Dead letters</th>
          <th className="wide">First</th>
          <th>Last</th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => {
          const { agent_id: actionId, error_kind: kind, story_id: storyId, story_name: storyName } = group;
          return (
            <tr key={`${storyId} ${actionId} ${kind}`}>
              <td className="fill">
                <div className="cut group-place" title={`${isolated(storyName)} › ${actionNameOf(group)}`}>
                  <Link href={letterPath({ ...filters, group: { storyId, actionId, kind } })} {...OPENS_ROW}>
                    {actionNameOf(group)}
                  </Link>{' '}
                  <span className="faint">in {storyName}</span>
                </div>
                <div className="cut soft" title={kind}>
                  {kind}
                </div>
              </td>
              <td className="number bad">{countWords(group.dead_letters)}</td>
              <td className="wide soft">
                <Time at={group.first_failed_at} />
              </td>
              <td className="soft">
                <Time at={group.last_failed_at} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Returns the name of the action of a group, also of one that is no more. */
export function actionNameOf({ agent_name: actionName }: Pick<DeadLetterGroup, 'agent_name'>): string {
  return actionName ?? 'deleted action';
}
