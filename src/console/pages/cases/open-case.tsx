import { BriefcaseBusiness } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useKeys } from '../../keys/use-keys.js';
import { Button } from '../../ui/form/button.js';
import type { CaseStart } from './new-case-dialog.js';

const NewCaseDialog = lazy(async () => ({
  default: (await import('./new-case-dialog.js')).NewCaseDialog,
}));

/** Opens a case about a failure, by a press or by `c`: its fields begin with what is known. */
export function OpenCase({ start }: { start: CaseStart }) {
  // The facts may change while the person writes.
  const [asked, setAsked] = useState<CaseStart>();
  const ask = () => setAsked(start);
  useKeys('page', { c: ask });
  return (
    <>
      <Button onClick={ask}>
        <BriefcaseBusiness aria-hidden="true" /> Open case
      </Button>
      {asked !== undefined && (
        <Suspense>
          <NewCaseDialog start={asked} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
    </>
  );
}
