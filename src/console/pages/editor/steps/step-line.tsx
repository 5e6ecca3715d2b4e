import { Link } from 'wouter';
import type { GraphAction } from '../../../../../clients/typescript/api.js';
import { stepOf } from '../../../story-model/fragment/action-step.js';
import { useEditor } from '../editor-context.js';
import { useStepOf } from './editor-steps-data.js';

/** Says which step an action came from, and whether that has a newer version. */
export function StepLine({ action }: { action: GraphAction }) {
  const step = useStepOf(useEditor().teamId, action);
  const version = stepOf(action)?.version;
  if (step === undefined || version === undefined) return null;
  return (
    <p className="sentence soft wrap">
      From the step <Link href={`/steps/${step.id}`}>{step.name}</Link>, version {version}.
      {version < step.version && <span className="warn"> The newest is {step.version}.</span>}
    </p>
  );
}
