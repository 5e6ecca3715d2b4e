import '../../ui/lists/table.css';
import { Link } from 'wouter';
import type { DeadLetterGroup } from '../../../../clients/typescript/api.js';
import { isolated } from '../../text/isolated.js';
import { Spark } from '../../ui/charts/spark.js';
import { countWords, nounWords } from '../../ui/words/figures.js';
import { Time } from '../../ui/words/time.js';
import { type LetterFilters, letterPath } from './letter-filters.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';

/** One line for each group: why and where it failed, how often, and between which times. */
export function GroupTable({ groups, filters }: { groups: DeadLetterGroup[]; filters: LetterFilters }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="fill">Cause and action</th>
          <th className="wide">Last 24 hours</th>
          <th className="number">Count</th>
          <th className="wider">First</th>
          <th>Last</th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => {
          const { agent_id: actionId, error_kind: kind, story_id: storyId, story_name: storyName } = group;
          return (
            <tr key={`${storyId} ${actionId} ${kind}`}>
              <td className="fill">
                <div className="cut group-place" title={group.error ?? undefined}>
                  <Link href={letterPath({ ...filters, group: { storyId, actionId, kind } })} {...OPENS_ROW}>
                    {causeOfGroup(group)}
                  </Link>
                </div>
                <div className="cut soft" title={`${isolated(storyName)} › ${isolated(actionNameOf(group))}`}>
                  {isolated(actionNameOf(group))} in {isolated(storyName)}
                </div>
              </td>
              <td className="wide">
                <Trend of={group} />
              </td>
              <td className="number bad">{countWords(group.dead_letters)}</td>
              <td className="wider soft">
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

/** The failures of each of the last 24 hours. */
export function Trend({ of: { trend } }: { of: Pick<DeadLetterGroup, 'trend'> }) {
  const sum = trend.reduce((total, count) => total + count, 0);
  return (
    <Spark
      bars={trend.map((count) => ({ all: count, bad: count }))}
      label={`${nounWords(sum, 'failure')} in the last 24 hours, ${countWords(trend.at(-1) ?? 0)} in the last hour`}
    />
  );
}

/** Returns why the newest letter of a group failed: its kind is a mask, and no message that anybody has read. */
export function causeOfGroup({ cause, error, error_kind: kind }: DeadLetterGroup): string {
  return cause || error || kind;
}

/** Returns the name of the action of a group, also of one that is no more. */
export function actionNameOf({ agent_name: actionName }: Pick<DeadLetterGroup, 'agent_name'>): string {
  return actionName ?? 'deleted action';
}
