import '../../ui/lists/lines.css';
import '../../ui/lists/table.css';
import '../../ui/form/filter-bar.css';
import './resources.css';
import { Boxes, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Resource } from '../../../../clients/typescript/api.js';
import { useMay } from '../../api/signed-in.js';
import { numberIn, useAddress } from '../../ui/browser/use-address.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Badge } from '../../ui/words/badge.js';
import { Button } from '../../ui/form/button.js';
import { Tick } from '../../ui/form/field.js';
import { nounWords } from '../../ui/words/figures.js';
import { Pager } from '../../ui/lists/pager.js';
import { SearchField } from '../../ui/form/search-field.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { TeamFilter, useTeamName } from '../team/team-filter.js';
import { NewResourceDialog } from './new-resource-dialog.js';
import { useResources } from './resources-data.js';
import { SharedBadge } from './shared-badge.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';

/** All resources that the person may use. */
export function ResourcesPage() {
  useTitle('Resources');
  const [query, change] = useAddress();
  const wanted = query.get('new');
  const [isNew, setNew] = useState(wanted !== null);
  const mayMake = useMay('write');
  const search = query.get('search') ?? '';
  const [team, unused] = [numberIn(query, 'team'), query.get('unused') === 'true'];
  const list = useResources({ search, team, unused, page: numberIn(query, 'page') ?? 1 });
  const close = () => {
    setNew(false);
    if (wanted !== null) change({ new: undefined });
  };
  return (
    <div className="page">
      <header className="page-head">
        <h1>Resources</h1>
        <span className="page-note">{list.data && nounWords(list.data.meta.count, 'resource')}</span>
        {mayMake && (
          <Button look="main" onClick={() => setNew(true)}>
            <Plus aria-hidden="true" /> New resource
          </Button>
        )}
      </header>
      <search className="filter-bar">
        <SearchField
          label="Search resources"
          placeholder="Part of the name"
          text={search}
          onSearch={(text) => change({ search: text })}
        />
        <TeamFilter team={team} onTeam={(id) => change({ team: id })} />
        <Tick
          checked={unused}
          onChange={({ target }) => change({ unused: target.checked ? 'true' : undefined })}
        >
          Only unused resources
        </Tick>
      </search>
      <div className="table-frame" aria-busy={list.isFetching}>
        <Answer of={list} lines={6}>
          {({ global_resources: resources }) =>
            resources.length === 0 ? (
              <Empty isFiltered={search !== '' || team !== undefined || unused} />
            ) : (
              <ResourceTable resources={resources} />
            )
          }
        </Answer>
      </div>
      {list.data && <Pager meta={list.data.meta} onPage={(page) => change({ page })} />}
      {isNew && mayMake && <NewResourceDialog name={wanted ?? ''} team={team} onClose={close} />}
    </div>
  );
}

const PREVIEW = 120;

function ResourceTable({ resources }: { resources: Resource[] }) {
  const teamName = useTeamName();
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="fill">Resource</th>
          <th>Type</th>
          <th className="wide">Team</th>
          <th>Changed</th>
        </tr>
      </thead>
      <tbody>
        {resources.map(
          ({ id, name, value, value_type: type, team_id: team, updated_at: at, read_access: access }) => (
            <tr key={id}>
              <td className="fill">
                <div className="cut">
                  <Link href={`/resources/${id}`} {...OPENS_ROW} className="line-name" title={name}>
                    {name}
                  </Link>
                </div>
                <code className="cut soft resource-preview">{String(value).slice(0, PREVIEW)}</code>
              </td>
              <td>
                <Badge>{type}</Badge>
              </td>
              <td className="wide soft short" title={teamName(team)}>
                <bdi>{teamName(team)}</bdi> <SharedBadge access={access} />
              </td>
              <td>
                <Time at={at} />
              </td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Nothing title="No resources match these filters." icon={<Boxes aria-hidden="true" />}>
      <p>Remove a filter to see more.</p>
    </Nothing>
  ) : (
    <Nothing title="No resources yet." icon={<Boxes aria-hidden="true" />}>
      <p>A resource is a value shared by stories, such as a list of domains. Create the first one here.</p>
    </Nothing>
  );
}
