import { useState } from 'react';
import { Link } from 'wouter';
import type { Step, StepUse } from '../../../../clients/typescript/api.js';
import { useTeamsWith } from '../../api/signed-in.js';
import { numberIn, useAddress } from '../../ui/browser/use-address.js';
import { Card } from '../../ui/card.js';
import { Button } from '../../ui/form/button.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';
import { Pager } from '../../ui/lists/pager.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Badge } from '../../ui/words/badge.js';
import { nounWords } from '../../ui/words/figures.js';
import { behindOf } from './step-words.js';
import { MOST_UPDATES, useStepUses } from './steps-data.js';
import { UpdateDialog } from './update-dialog.js';

/** The stories that use a step, each with the version that it has; those that are behind are updated. */
export function StepUses({ step }: { step: Step }) {
  const [query, change] = useAddress();
  const uses = useStepUses(step.id, numberIn(query, 'page') ?? 1);
  const writable = new Set(useTeamsWith('write').map(({ id }) => id));
  const [updating, setUpdating] = useState<readonly number[]>();
  const list = uses.data?.step_uses ?? [];
  const behind = behindOf(
    list.filter(({ team_id: team }) => writable.has(team)),
    MOST_UPDATES,
  );
  return (
    <>
      <Card
        title="Used by"
        aside={
          behind.length > 1 && (
            <Button look="main" onClick={() => setUpdating(behind)}>
              Update {nounWords(behind.length, 'story', 'stories')} to version {step.version}
            </Button>
          )
        }
      >
        <div className="table-frame" aria-busy={uses.isFetching}>
          <Answer of={uses} lines={4}>
            {({ step_uses: all }) =>
              all.length === 0 ? (
                <Nothing title="No story uses this step.">
                  <p>In the editor, find it among the actions to add.</p>
                </Nothing>
              ) : (
                <UseTable
                  step={step}
                  uses={all}
                  mayUpdate={({ team_id: team }) => writable.has(team)}
                  onUpdate={(id) => setUpdating([id])}
                />
              )
            }
          </Answer>
        </div>
      </Card>
      {uses.data && <Pager meta={uses.data.meta} onPage={(page) => change({ page })} />}
      {updating && <UpdateDialog step={step} storyIds={updating} onClose={() => setUpdating(undefined)} />}
    </>
  );
}

interface UseTableProps {
  step: Step;
  uses: readonly StepUse[];
  mayUpdate: (use: StepUse) => boolean;
  onUpdate: (storyId: number) => void;
}

/** Stories with the version of a step that they have. */
export function UseTable({ step, uses, mayUpdate, onUpdate }: UseTableProps) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="fill">Story</th>
          <th>Version</th>
          <th className="wide">Actions</th>
          <th>
            <span className="unseen">Update</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {uses.map((use) => (
          <tr key={use.story_id}>
            <td className="fill">
              <Link href={`/stories/${use.story_id}`} {...OPENS_ROW} className="line-name wrap">
                {use.story_name}
              </Link>{' '}
              {use.changed === true && (
                <Badge title="The story has changed the actions since it took the step">changed here</Badge>
              )}{' '}
              {use.locked && <Badge tone="warn">locked</Badge>}
            </td>
            <td className="nowrap">
              {use.version} {use.behind && <Badge tone="warn">behind</Badge>}
            </td>
            <td className="wide soft">
              <span className="cut">{use.actions.map(({ name }) => name).join(', ')}</span>
            </td>
            <td>
              {use.behind && !use.locked && mayUpdate(use) && (
                <Button
                  aria-label={`Update ${use.story_name} to version ${step.version}`}
                  onClick={() => onUpdate(use.story_id)}
                >
                  Update to version {step.version}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
