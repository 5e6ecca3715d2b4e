import '../../ui/table.css';
import { Link } from 'wouter';
import { countWords } from '../../ui/words/figures.js';
import { Time } from '../../ui/words/time.js';
import { type LetterFilters, letterPath } from './letter-filters.js';
import type { LetterGroup } from './letter-groups.js';

/** One line for each group: where it failed, how, how often, and between which times. */
export function GroupTable({ groups, filters }: { groups: LetterGroup[]; filters: LetterFilters }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="fill">Action and kind of error</th>
          <th className="number">Letters</th>
          <th className="wide">First</th>
          <th>Last</th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => {
          const { actionId, kind, storyName, letters, first, last } = group;
          return (
            <tr key={`${actionId} ${kind}`}>
              <td className="fill">
                <div className="cut group-place" title={`${storyName} › ${actionNameOf(group)}`}>
                  <Link href={letterPath({ ...filters, group: { actionId, kind } })}>
                    {actionNameOf(group)}
                  </Link>{' '}
                  <span className="faint">in {storyName}</span>
                </div>
                <div className="cut soft" title={kind}>
                  {kind}
                </div>
              </td>
              <td className="number bad">{countWords(letters.length)}</td>
              <td className="wide soft">
                <Time at={first} />
              </td>
              <td className="soft">
                <Time at={last} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Returns the name of the action of a group, also of one that is no more. */
export function actionNameOf({ actionName }: Pick<LetterGroup, 'actionName'>): string {
  return actionName ?? 'a deleted action';
}
