import { BriefcaseBusiness } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useKeys } from '../../keys/use-keys.js';
import { Button } from '../../ui/form/button.js';
import type { CaseStart } from './new-case-dialog.js';

const NewCaseDialog = lazy(async () => ({
  default: (await import('./new-case-dialog.js')).NewCaseDialog,
}));

interface OpenCaseProps {
  /** The fields of the case begin with it. */
  start: CaseStart;
  onAsk: (start: CaseStart) => void;
}

/** Asks for a case about a failure, by a press or by `c`. */
export function OpenCase({ start, onAsk }: OpenCaseProps) {
  const ask = () => onAsk(start);
  useKeys('page', { c: ask });
  return (
    <Button onClick={ask}>
      <BriefcaseBusiness aria-hidden="true" /> Open case
    </Button>
  );
}

/**
 * The dialog of a case that was asked for. It stands outside of what has the button: a failure that goes away while the person
 * writes takes the button with it, not the text.
 */
export function AskedCase({ start, onClose }: { start: CaseStart | undefined; onClose: () => void }) {
  return (
    start !== undefined && (
      <Suspense>
        <NewCaseDialog start={start} onClose={onClose} />
      </Suspense>
    )
  );
}
