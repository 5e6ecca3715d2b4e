import { FlaskConical, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { UserCredential } from '../../../../../clients/typescript/api.js';
import { Badge } from '../../../ui/words/badge.js';
import { Button } from '../../../ui/form/button.js';
import { Card } from '../../../ui/card.js';
import { KINDS } from '../credential-kinds.js';
import { HostWords } from '../host-words.js';
import { SecretDialog } from './secret-dialog.js';
import { TestResult, useCredentialTest } from './test-result.js';

interface SettingsCardProps {
  credential: UserCredential;
  keyId: number | null;
  /** Whether it is the second value, which drafts of stories get. */
  isTest: boolean;
  mayEdit: boolean;
}

/** The settings of a secret that may be shown, and its hosts. */
export function SettingsCard({ credential, keyId, isTest, mayEdit }: SettingsCardProps) {
  const [isOpen, setOpen] = useState(false);
  const testing = useCredentialTest(credential.id, isTest);
  const { test_credential: test, test_credential_enabled: isTestOn, mode } = credential;
  const shown = isTest ? test : credential;
  const replace = () => {
    testing.reset();
    setOpen(true);
  };
  return (
    <Card
      title={isTest ? 'Test secret, for drafts' : 'Secret'}
      aside={
        <>
          {isTest && test !== null && (
            <Badge tone={isTestOn ? 'ok' : 'plain'}>{isTestOn ? 'on' : 'off'}</Badge>
          )}
          {mayEdit && shown !== null && (
            <Button disabled={testing.isPending} onClick={() => testing.mutate()}>
              <FlaskConical aria-hidden="true" /> Test
            </Button>
          )}
          {mayEdit && keyId === null && (
            <Button onClick={replace}>
              <KeyRound aria-hidden="true" /> {shown === null ? 'Add' : 'Replace'}
            </Button>
          )}
        </>
      }
    >
      {shown === null ? (
        <p className="facts soft">Story drafts use the secret above.</p>
      ) : (
        <dl className="facts">
          <dt>Hosts</dt>
          <dd>
            <HostWords hosts={shown.allowed_hosts} />
          </dd>
          {keyId !== null && (
            <>
              <dt>Key</dt>
              <dd>
                <Link href="/team?tab=keys">API key {keyId}</Link>
              </dd>
            </>
          )}
          <Settings mode={mode} shown={shown} />
          <dt>Secret</dt>
          <dd className="soft">stored encrypted; can be replaced but not read</dd>
        </dl>
      )}
      <TestResult testing={testing} />
      {isOpen && <SecretDialog credential={credential} isTest={isTest} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function Settings({ mode, shown }: { mode: UserCredential['mode']; shown: object }) {
  const values = shown as Record<string, unknown>;
  const known = KINDS[mode].settings.filter(
    ({ name, isSecret }) => isSecret !== true && values[name] !== undefined && values[name] !== null,
  );
  return known.map(({ name, label }) => (
    <div key={name} className="fact">
      <dt>{label}</dt>
      <dd className="wrap">{String(values[name])}</dd>
    </div>
  ));
}
