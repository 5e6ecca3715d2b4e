import { Badge } from '../../../../ui/words/badge.js';
import type { StoredTestResult } from '../model/test-report.js';
import { coverageWords, outcomeWords } from '../model/test-words.js';

/** A stored result of the tests of a story, in a line: how many pass, and what they cover. */
export function TestsSummary({ result }: { result: StoredTestResult }) {
  return (
    <p className="row row-wrap">
      <Badge tone={result.ok ? 'ok' : 'bad'}>{result.ok ? 'tests pass' : 'tests fail'}</Badge>
      <span>{outcomeWords(result)}</span>
      <span className="soft">Tests reach {coverageWords(result)}.</span>
    </p>
  );
}
