import { useMutation } from '@tanstack/react-query';
import type { CredentialTest } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { sentencesOf } from '../../../text/problems.js';
import { Badge } from '../../../ui/words/badge.js';
import { spanWords } from '../../../ui/words/since.js';
import { Time } from '../../../ui/words/time.js';

/** Returns a test of a secret as an action uses it. Its result is shown beside it, not in a message. */
export function useCredentialTest(id: number, isTest: boolean) {
  return useMutation({
    mutationFn: () => api.userCredentials.test({ id, is_test: isTest }),
    meta: { quiet: true },
  });
}

interface TestResultProps {
  testing: { isPending: boolean; error: unknown; data: CredentialTest | undefined };
}

/** The state of a test: under way, or what came of it. */
export function TestResult({ testing }: TestResultProps) {
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
