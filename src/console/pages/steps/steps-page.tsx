import '../../ui/lists/table.css';
import '../../ui/form/filter-bar.css';
import '../../ui/lists/lines.css';
import { Package } from 'lucide-react';
import { Link } from 'wouter';
import type { Step } from '../../../../clients/typescript/api.js';
import { numberIn, useAddress } from '../../ui/browser/use-address.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { SearchField } from '../../ui/form/search-field.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';
import { Pager } from '../../ui/lists/pager.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Badge } from '../../ui/words/badge.js';
import { countWords, nounWords } from '../../ui/words/figures.js';
import { Time } from '../../ui/words/time.js';
import { TeamFilter, useTeamName } from '../team/team-filter.js';
import { useSteps } from './steps-data.js';

/** Parts of stories that are kept to be used again. */
export function StepsPage() {
  useTitle('Steps');
  const [query, change] = useAddress();
  const search = query.get('search') ?? '';
  const team = numberIn(query, 'team');
  const list = useSteps({ search, team, page: numberIn(query, 'page') ?? 1 });
  return (
    <div className="page">
      <header className="page-head">
        <h1>Steps</h1>
        <span className="page-note">{list.data && nounWords(list.data.meta.count, 'step')}</span>
      </header>
      <search className="filter-bar">
        <SearchField
          label="Search steps"
          placeholder="Part of the name"
          text={search}
          onSearch={(text) => change({ search: text })}
        />
        <TeamFilter team={team} onTeam={(id) => change({ team: id })} />
      </search>
      <div className="table-frame" aria-busy={list.isFetching}>
        <Answer of={list} lines={6}>
          {({ steps }) =>
            steps.length === 0 ? (
              <Empty isFiltered={search !== '' || team !== undefined} />
            ) : (
              <StepTable steps={steps} />
            )
          }
        </Answer>
      </div>
      {list.data && <Pager meta={list.data.meta} onPage={(page) => change({ page })} />}
    </div>
  );
}

/** Steps with how many stories use each, and how many of these have an older version. */
export function StepTable({ steps }: { steps: readonly Step[] }) {
  const teamName = useTeamName();
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="fill">Step</th>
          <th>Version</th>
          <th>Stories</th>
          <th className="wide">Team</th>
          <th className="wide">Changed</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step) => (
          <tr key={step.id}>
            <td className="fill">
              <div className="cut">
                <Link href={`/steps/${step.id}`} {...OPENS_ROW} className="line-name">
                  {step.name}
                </Link>{' '}
                {step.language === 'liquid' && (
                  <Badge title="Only stories with templates in Liquid are offered it">Liquid</Badge>
                )}
              </div>
              {step.description !== '' && <div className="cut soft">{step.description}</div>}
            </td>
            <td>{step.version}</td>
            <td className="nowrap">
              {countWords(step.stories)}{' '}
              {step.stories_behind > 0 && <Badge tone="warn">{countWords(step.stories_behind)} behind</Badge>}
            </td>
            <td className="wide soft short">
              <bdi>{step.team_id === null ? 'All teams' : teamName(step.team_id)}</bdi>
            </td>
            <td className="wide">
              <Time at={step.updated_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Nothing title="No steps match these filters." icon={<Package aria-hidden="true" />}>
      <p>Remove a filter to see more.</p>
    </Nothing>
  ) : (
    <Nothing title="No steps yet." icon={<Package aria-hidden="true" />}>
      <p>
        A step is a part of a story that others use too. In the editor, select actions and choose “Save as a
        step” in their menu.
      </p>
    </Nothing>
  );
}
