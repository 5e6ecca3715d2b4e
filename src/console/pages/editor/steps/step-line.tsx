import { Link } from 'wouter';
import type { GraphAction } from '../../../../../clients/typescript/api.js';
import { stepOf } from '../../../story-model/action-step.js';
import { useEditor } from '../editor-context.js';
import { useStepOf } from './editor-steps-data.js';

/** Says which step an action came from, and whether that has a newer version. */
export function StepLine({ action }: { action: GraphAction }) {
  const step = useStepOf(useEditor().teamId, action);
  const version = stepOf(action)?.version;
  if (step === undefined || version === undefined) return null;
  const isBehind = version < step.version;
  return (
    <p className={isBehind ? 'warn wrap' : 'soft wrap'}>
      From the step <Link href={`/steps/${step.id}`}>{step.name}</Link>, version {version}
      {isBehind && `; the newest is ${step.version}`}.
    </p>
  );
}
