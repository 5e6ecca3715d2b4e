import '../../ui/lists/lines.css';
import '../../ui/lists/table.css';
import '../../ui/form/filter-bar.css';
import './credentials.css';
import { KeyRound, Plus } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import type { UserCredential } from '../../../../clients/typescript/api.js';
import { useMay } from '../../api/signed-in.js';
import { numberIn, useAddress } from '../../ui/browser/use-address.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Badge } from '../../ui/words/badge.js';
import { Button } from '../../ui/form/button.js';
import { Select } from '../../ui/form/field.js';
import { nounWords } from '../../ui/words/figures.js';
import { Pager } from '../../ui/lists/pager.js';
import { SearchField } from '../../ui/form/search-field.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { SharedBadge } from '../resources/shared-badge.js';
import { TeamFilter, useTeamName } from '../team/team-filter.js';
import { KINDS } from './credential-kinds.js';
import { type CredentialFilters, NARROWINGS, useCredentials } from './credentials-data.js';
import { HostWords } from './host-words.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';

/** All credentials that the person may use, without their secrets. */
export function CredentialsPage() {
  useTitle('Credentials');
  const [query, change] = useAddress();
  const [, go] = useLocation();
  const mayMake = useMay('manage');
  const filters: CredentialFilters = {
    search: query.get('search') ?? '',
    team: numberIn(query, 'team'),
    narrowing: NARROWINGS.find((word) => word === query.get('filter')),
    page: numberIn(query, 'page') ?? 1,
  };
  const list = useCredentials(filters);
  return (
    <div className="page">
      <header className="page-head">
        <h1>Credentials</h1>
        <span className="page-note">{list.data && nounWords(list.data.meta.count, 'credential')}</span>
        {mayMake && (
          <Button look="main" onClick={() => go('/credentials/new')}>
            <Plus aria-hidden="true" /> New credential
          </Button>
        )}
      </header>
      <CredentialFilterBar filters={filters} onChange={change} />
      <div className="table-frame" aria-busy={list.isFetching}>
        <Answer of={list} lines={6}>
          {({ user_credentials: credentials }) =>
            credentials.length === 0 ? (
              <Empty filters={filters} />
            ) : (
              <CredentialTable credentials={credentials} />
            )
          }
        </Answer>
      </div>
      {list.data && <Pager meta={list.data.meta} onPage={(page) => change({ page })} />}
    </div>
  );
}

function CredentialFilterBar(props: {
  filters: CredentialFilters;
  onChange: ReturnType<typeof useAddress>[1];
}) {
  const { filters, onChange } = props;
  return (
    <search className="filter-bar">
      <SearchField
        label="Search credentials"
        placeholder="Part of the name"
        text={filters.search}
        onSearch={(search) => onChange({ search })}
      />
      <TeamFilter team={filters.team} onTeam={(team) => onChange({ team })} />
      <Select
        aria-label="Filter credentials"
        value={filters.narrowing ?? ''}
        onChange={({ target }) => onChange({ filter: target.value })}
      >
        <option value="">All credentials</option>
        <option value="RESTRICTED">Restricted to hosts</option>
        <option value="UNRESTRICTED">For any host</option>
        <option value="UNUSED_IN_ACTIONS">Not used by any action</option>
      </Select>
    </search>
  );
}

function CredentialTable({ credentials }: { credentials: UserCredential[] }) {
  const teamName = useTeamName();
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="fill">Credential</th>
          <th>Type</th>
          <th className="wide">Hosts</th>
          <th className="wide">Team</th>
          <th>Changed</th>
        </tr>
      </thead>
      <tbody>
        {credentials.map((credential) => (
          <tr key={credential.id}>
            <td className="fill">
              <div className="fill-part">
                <div className="cut">
                  <Link
                    href={`/credentials/${credential.id}`}
                    {...OPENS_ROW}
                    className="line-name"
                    title={credential.name}
                  >
                    {credential.name}
                  </Link>
                </div>
                {credential.description !== '' && (
                  <span className="cut soft credential-about">{credential.description}</span>
                )}
              </div>
            </td>
            <td>
              <Badge>{KINDS[credential.mode].name}</Badge> <ReconnectBadge credential={credential} />
            </td>
            <td className="wide">
              <HostWords hosts={credential.allowed_hosts} most={2} />
            </td>
            <td className="wide soft short" title={teamName(credential.team_id)}>
              <bdi>{teamName(credential.team_id)}</bdi> <SharedBadge access={credential.read_access} />
            </td>
            <td>
              <Time at={credential.updated_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ReconnectBadge({ credential }: { credential: UserCredential }) {
  const need = credential.reconnect_needed ?? credential.test_credential?.reconnect_needed;
  if (!need) return null;
  return (
    <Badge tone="bad" title={need.reason}>
      reconnect needed
    </Badge>
  );
}

function Empty({ filters: { search, team, narrowing } }: { filters: CredentialFilters }) {
  if (search !== '' || team !== undefined || narrowing !== undefined) {
    return (
      <Nothing title="No credentials match these filters." icon={<KeyRound aria-hidden="true" />}>
        <p>Remove a filter to see more.</p>
      </Nothing>
    );
  }
  return (
    <Nothing title="No credentials yet." icon={<KeyRound aria-hidden="true" />}>
      <p>
        A credential is a secret that stories can send but no one can read. Team admins create credentials
        here.
      </p>
    </Nothing>
  );
}
