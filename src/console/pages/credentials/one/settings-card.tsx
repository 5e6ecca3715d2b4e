import { FlaskConical, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { CredentialTest, UserCredential } from '../../../../../clients/typescript/api.js';
import { Badge } from '../../../ui/words/badge.js';
import { Button } from '../../../ui/form/button.js';
import { Card } from '../../../ui/card.js';
import { KINDS } from '../credential-kinds.js';
import { HostWords } from '../host-words.js';
import { SecretDialog } from './secret-dialog.js';
import { api } from '../../../api/console-api.js';
import { useMutation } from '../../../api/use-mutation.js';
import { sentencesOf } from '../../../text/problems.js';
import { spanWords } from '../../../ui/words/since.js';
import { Time } from '../../../ui/words/time.js';

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

/** Returns a test of a secret as an action uses it. Its result is shown beside it, not in a message. */
function useCredentialTest(id: number, isTest: boolean) {
  return useMutation({
    mutationFn: () => api.userCredentials.test({ id, is_test: isTest }),
    meta: { quiet: true },
  });
}

interface TestResultProps {
  testing: { isPending: boolean; error: unknown; data: CredentialTest | undefined };
}

/** The state of a test: under way, or what came of it. */
function TestResult({ testing }: TestResultProps) {
  const { isPending, error, data } = testing;
  return (
    <div className="test-result" role="status">
      {isPending && <p className="soft">Testing… Token servers have 15 seconds to respond.</p>}
      {!isPending && error !== null && <p className="bad wrap">{sentencesOf(error).join(' ')}</p>}
      {!isPending && data !== undefined && <Result test={data} />}
    </div>
  );
}

function Result({ test }: { test: CredentialTest }) {
  const { works, message, host, status, expires_at: end, took_ms: took } = test;
  return (
    <>
      <p className="row row-wrap">
        <Badge tone={works ? 'ok' : 'bad'}>{works ? 'Works' : 'Failed'}</Badge>
        <span className="wrap">{message}</span>
      </p>
      <p className="faint">
        {host !== null && (status === null ? 'no response, ' : `status ${status}, `)}
        {spanWords(took)}
        {end !== null && (
          <>
            , its end: <Time at={end} />
          </>
        )}
      </p>
    </>
  );
}
