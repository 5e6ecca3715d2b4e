import { CircleCheck, CircleX, Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { Case } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useMay } from '../../../api/signed-in.js';
import { Button, IconButton } from '../../../ui/form/button.js';
import { Card } from '../../../ui/card.js';
import { Answer } from '../../../ui/states.js';
import { useCaseWork } from '../../cases/cases-data.js';
import { useConditions } from '../case-data.js';
import type { Closing } from './use-closing.js';
import { ConditionDialog } from './condition-dialog.js';

/** The closure conditions: which are met, and beside each what the server said when it refused to close. */
export function ConditionsCard({ one, refusals }: { one: Case } & Pick<Closing, 'refusals'>) {
  const judged = useConditions(one);
  const mayChange = useMay('write', one.team.id);
  const [isAdding, setAdding] = useState(false);
  const work = useCaseWork();
  const { case_id: id, closure_conditions: conditions } = one;
  const remove = (place: number) =>
    work.mutate(() =>
      api.cases.update({ id, closure_conditions: conditions.filter((_each, at) => at !== place) }),
    );
  return (
    <Card
      title="Conditions for closing"
      aside={
        mayChange && (
          <Button look="quiet" onClick={() => setAdding(true)}>
            <Plus aria-hidden="true" /> Add
          </Button>
        )
      }
    >
      {conditions.length === 0 ? (
        <p className="case-none faint">No conditions: the case can be closed at any time.</p>
      ) : (
        <Answer of={judged} lines={2}>
          {(found) => (
            <ul>
              {found.map((each, place) => (
                <Condition
                  // Two conditions may be equal; the place is what the server names.
                  key={place}
                  {...each}
                  refusal={refusals.get(place)}
                  isBusy={work.isPending}
                  onRemove={mayChange ? () => remove(place) : undefined}
                />
              ))}
            </ul>
          )}
        </Answer>
      )}
      {isAdding && <ConditionDialog one={one} onClose={() => setAdding(false)} />}
    </Card>
  );
}

interface ConditionProps {
  name: string;
  formula: string;
  met: boolean;
  reason: string | null;
  refusal: string | undefined;
  isBusy: boolean;
  /** Absent for those who may not change the case. */
  onRemove: (() => void) | undefined;
}

function Condition({ name, formula, met, reason, refusal, isBusy, onRemove }: ConditionProps) {
  const Sign = met ? CircleCheck : CircleX;
  return (
    <li className={`line case-condition ${refusal === undefined ? '' : 'case-refused'}`}>
      <div className="row case-condition-head">
        <Sign className={met ? 'ok' : 'warn'} aria-hidden="true" />
        <bdi className="grow wrap line-name">{name}</bdi>
        <span className={met ? 'ok' : 'warn'}>{met ? 'met' : 'not met'}</span>
        {onRemove && (
          <IconButton
            label={`Remove the condition ${name.slice(0, 60)}`}
            disabled={isBusy}
            onClick={onRemove}
          >
            <X />
          </IconButton>
        )}
      </div>
      <code className="wrap faint">{formula.slice(0, 1_000)}</code>
      {refusal !== undefined && (
        <p role="alert" className="wrap bad">
          {refusal}
        </p>
      )}
      {refusal === undefined && reason !== null && reason !== 'is not met' && (
        <p className="wrap warn">It {reason}</p>
      )}
    </li>
  );
}
