import { useState } from 'react';
import type { ActiveStory, StoryTest } from '../../../../../clients/typescript/api.js';
import { isolated } from '../../../text/isolated.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { PickList } from '../../../ui/lists/pick-list.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { exactWords } from '../../../ui/words/time.js';
import { shortGuid } from '../../runs/run-words.js';
import type { Place } from '../story-data.js';
import { nameOfRun, useKeepableRuns, useKeepRun } from './tests-data.js';
import styles from './tests.module.css';

interface KeepRunDialogProps {
  story: ActiveStory;
  place: Place;
  onKept: (test: StoryTest) => void;
  onClose: () => void;
}

/** Picks one of the newest runs, and keeps it as a test. */
export function KeepRunDialog({ story, place, onKept, onClose }: KeepRunDialogProps) {
  const runs = useKeepableRuns(place);
  const keeping = useKeepRun(place, onKept);
  const [picked, setPicked] = useState<string>();
  return (
    <Dialog
      title="Keep a run as a test"
      about="The test gets the event of the run, the responses that it had, and what its actions did."
      dropsText
      onClose={onClose}
    >
      <div className={styles['picks']}>
        <Answer of={runs} lines={6}>
          {(all) => {
            if (all.length === 0) return <Nothing title="No runs yet." />;
            const items = all.map((run) => ({
              key: run.guid,
              name: run.subject ?? `Run ${shortGuid(run.guid)}`,
              about: `${run.status}, ${exactWords(run.created_at)}`,
              run,
            }));
            return (
              <PickList
                label="Run"
                placeholder="What the run is about"
                find={(text) =>
                  items.filter(({ name, about }) =>
                    `${name} ${about}`.toLowerCase().includes(text.trim().toLowerCase()),
                  )
                }
                onPick={(guid) => {
                  const item = items.find(({ key }) => key === guid);
                  if (item === undefined || keeping.isPending) return;
                  setPicked(item.name);
                  keeping.mutate({ start: { run_guid: guid }, name: nameOfRun(story.name, item.run) });
                }}
              />
            );
          }}
        </Answer>
        <p className="soft" role="status">
          {keeping.isPending && `Keeping ${isolated(picked ?? '')}…`}
        </p>
      </div>
    </Dialog>
  );
}
