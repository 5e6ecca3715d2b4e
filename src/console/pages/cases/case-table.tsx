import '../../ui/lists/table.css';
import { Link } from 'wouter';
import type { Case } from '../../../../clients/typescript/api.js';
import { Time } from '../../ui/words/time.js';
import { PeopleNames, PriorityMark, StatusBadge, Tags } from './case-marks.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';

/** Cases, a row each; the name leads to the case. */
export function CaseTable({ cases }: { cases: Case[] }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="fill">Case</th>
          <th>Status</th>
          <th>Priority</th>
          <th className="wide">Assigned to</th>
          <th className="wider">Team</th>
          <th className="number wide">Changed</th>
        </tr>
      </thead>
      <tbody>
        {cases.map((each) => (
          <tr key={each.case_id}>
            <td className="fill cut">
              <div className="fill-part">
                <Link
                  href={`/cases/${each.case_id}`}
                  {...OPENS_ROW}
                  className="case-name cut"
                  title={each.name}
                >
                  {each.name}
                </Link>
                {each.tags.length > 0 && (
                  <span className="row case-tags">
                    <Tags tags={each.tags} />
                  </span>
                )}
              </div>
            </td>
            <td>
              <StatusBadge status={each.status} />
            </td>
            <td>
              <PriorityMark priority={each.priority} />
            </td>
            <td className="wide short">
              <PeopleNames people={each.assignees} />
            </td>
            <td className="wider short" title={each.team.name}>
              {each.team.name}
            </td>
            <td className="number wide">
              <Time at={each.updated_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
