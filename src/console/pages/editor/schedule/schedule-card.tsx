import { Plus, X } from 'lucide-react';
import type { GraphAction } from '../../../../../clients/typescript/api.js';
import { setSchedule } from '../../../story-model/commands/action-commands.js';
import { Button, IconButton } from '../../../ui/form/button.js';
import { useEditor, useRun } from '../editor-context.js';
import { entriesOf, isEntry, MOST_SCHEDULES } from './schedule-entries.js';
import { ScheduleFields } from './schedule-fields.js';
import styles from './schedule.module.css';

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** When an action starts runs by itself. */
export function ScheduleCard({ actionKey, action }: { actionKey: string; action: GraphAction }) {
  const { draftId, readOnly } = useEditor();
  const run = useRun();
  const entries = entriesOf(action['schedule']);
  const isReadOnly = readOnly !== undefined;
  const change = (next: readonly unknown[]) => run(setSchedule(actionKey, next));
  if (entries.length === 0 && isReadOnly) return null;
  return (
    <section className={styles['card']} aria-label="Schedule">
      <h3>Schedule</h3>
      {entries.length === 0 && <p className="faint">No schedule: this action starts no runs by itself.</p>}
      {entries.length > 0 && draftId !== undefined && (
        <p className="faint">The schedules of a draft start no runs until it is published.</p>
      )}
      {entries.map((entry, at) => (
        // A schedule is its place.
        <div key={at} className={styles['entry']} role="group" aria-label={`Schedule ${at + 1}`}>
          {!isReadOnly && (
            <IconButton
              className={styles['remove'] ?? ''}
              label={`Remove schedule ${at + 1}`}
              onClick={() => change(entries.toSpliced(at, 1))}
            >
              <X />
            </IconButton>
          )}
          {isEntry(entry) ? (
            <ScheduleFields
              entry={entry}
              isReadOnly={isReadOnly}
              onEntry={(next) => change(entries.toSpliced(at, 1, next))}
            />
          ) : (
            <code className="wrap">{typeof entry === 'string' ? entry : JSON.stringify(entry)}</code>
          )}
        </div>
      ))}
      {!isReadOnly && entries.length < MOST_SCHEDULES && (
        <div>
          <Button
            look="quiet"
            onClick={() => change([...entries, { cron: '0 9 * * *', timezone: OWN_ZONE }])}
          >
            <Plus aria-hidden="true" /> Add schedule
          </Button>
        </div>
      )}
    </section>
  );
}
