import type { StoryTestResult } from '../../../../../../clients/typescript/api.js';
import { Badge } from '../../../../ui/words/badge.js';

/** How a test ended on this page. */
export function TestState({
  result,
  isRunning,
}: {
  result: StoryTestResult | undefined;
  isRunning: boolean;
}) {
  if (isRunning) return <Badge tone="running">running</Badge>;
  if (result === undefined) return <Badge>not run</Badge>;
  return result.ok ? <Badge tone="ok">passes</Badge> : <Badge tone="bad">fails</Badge>;
}
