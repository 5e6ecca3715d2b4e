import './credentials.css';
import { Link } from 'wouter';
import { useTeamsWith } from '../../api/signed-in.js';
import { useAddress } from '../../ui/browser/use-address.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { BackLink } from '../../ui/back-link.js';
import { Card } from '../../ui/card.js';
import { Nothing } from '../../ui/states.js';
import { type CredentialKind, kindIn, KINDS } from './credential-kinds.js';
import { FabulaForm } from './new/fabula-form.js';
import { NewCredentialForm } from './new/new-credential-form.js';

/** Makes a credential: first its kind is chosen, then the kind's own questions are asked. */
export function NewCredentialPage() {
  useTitle('New credential');
  const [query] = useAddress();
  const teams = useTeamsWith('manage');
  const kind = kindIn(query.get('kind'));
  return (
    <div className="page">
      <BackLink href={kind === undefined ? '/credentials' : '/credentials/new'}>
        {kind === undefined ? 'All credentials' : 'Choose another type'}
      </BackLink>
      <header className="page-head">
        <h1>New credential</h1>
      </header>
      {teams.length === 0 ? (
        <Nothing title="Only team admins can create credentials." />
      ) : kind === undefined ? (
        <KindChoice />
      ) : (
        <Card title={KINDS[kind].name} aside={<span className="soft">{KINDS[kind].about}</span>}>
          {kind === 'FABULA' ? (
            <FabulaForm teams={teams} />
          ) : (
            <NewCredentialForm key={kind} kind={kind} teams={teams} />
          )}
        </Card>
      )}
    </div>
  );
}

function KindChoice() {
  return (
    <nav className="kind-choice" aria-label="Types">
      {(Object.keys(KINDS) as CredentialKind[]).map((kind) => (
        <Link key={kind} href={`/credentials/new?kind=${kind}`}>
          <strong>{KINDS[kind].name}</strong>
          <span>{KINDS[kind].about}</span>
        </Link>
      ))}
    </nav>
  );
}
