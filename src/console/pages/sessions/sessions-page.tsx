import './sessions.css';
import { Link } from 'wouter';
import { useTitle } from '../../ui/use-title.js';
import { PasswordCard } from './password-card.js';
import { SessionTable } from './session-table.js';

/** The person's own sessions: which browsers are signed in, each with a way to end it. */
export function SessionsPage() {
  useTitle('Sessions');
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="grow">Your sessions</h1>
        <Link href="/team?tab=keys">Your API keys</Link>
      </header>
      <SessionTable />
      <PasswordCard />
    </div>
  );
}
