import { useState } from 'react';
import type { Schedule } from '../../../../clients/typescript/api.js';
import { useMay } from '../../api/signed-in.js';
import { Time } from '../../ui/words/time.js';
import { useNow } from '../../ui/words/use-now.js';
import { isolated } from '../../text/isolated.js';
import { Button } from '../../ui/form/button.js';
import { Question } from '../../ui/overlay/question.js';
import { Badge } from '../../ui/words/badge.js';
import { GuardBadge } from '../story/guard-badge.js';
import { cronWords } from './cron-words.js';
import { stateOf } from './schedule-state.js';
import { usePause } from './schedules-data.js';

/** Why a schedule starts nothing, and why it may not be changed: these are different things, and look so. */
export function ScheduleBadges({ schedule }: { schedule: Schedule }) {
  const { reasons, guards } = stateOf(schedule);
  return (
    <>
      {reasons.map((reason) => (
        <Badge key={reason} title="Starts no runs.">
          {reason}
        </Badge>
      ))}
      {schedule.last_skip !== null && isRecent(schedule.last_skip.until) && (
        <Badge title={SKIPPED[schedule.last_skip.reason]}>
          skipped <Time at={schedule.last_skip.from} />
        </Badge>
      )}
      {guards.map((guard) => (
        <GuardBadge key={guard} guard={guard} />
      ))}
    </>
  );
}

/** A start may be as late as one round of the process that starts runs, and the read of the page. */
const LATE_MS = 60_000;
/** The status tells of starts that were left out for as long. */
const RECENT_MS = 24 * 60 * 60 * 1000;
const SKIPPED = {
  late: 'No process was running at these times. Skipped starts are not run later.',
  quota: 'The daily run quota was used up. Skipped starts are not run later.',
};

function isRecent(time: string): boolean {
  return Date.now() - Date.parse(time) < RECENT_MS;
}

/** Pauses a schedule after a question, or resumes it. Other schedules of its action are left as they are. */
export function ScheduleSwitch({ schedule }: { schedule: Schedule }) {
  const { action, team_id: team, paused_at: pausedAt, cron, next_at: next } = schedule;
  const [isAsked, setAsked] = useState(false);
  const mayPause = useMay('write', team);
  const close = () => setAsked(false);
  const pausing = usePause(schedule, close);
  const times = cronWords(cron) ?? cron;
  const word = pausedAt === null ? 'Pause' : 'Resume';
  if (!mayPause) return null;
  return (
    <>
      <Button
        aria-label={`${word} ${action.name}, ${times}`}
        disabled={pausing.isPending}
        onClick={() => (pausedAt === null ? setAsked(true) : pausing.mutate(false))}
      >
        {word}
      </Button>
      {isAsked && (
        <Question
          title={`Pause the schedule of ${isolated(action.name)}?`}
          about={
            <>
              It starts nothing until it is resumed, and skipped starts are not made up for. Other schedules
              of the action continue. Times: {times}.
              {stateOf(schedule).isOn && <Time at={next} prefix=" Next start " />}
            </>
          }
          button="Pause"
          isBusy={pausing.isPending}
          onClose={close}
          onYes={() => pausing.mutate(true)}
        />
      )}
    </>
  );
}

/** The time of the next start; of one that should have been, that it is late. */
export function NextStart({ schedule }: { schedule: Schedule }) {
  const { next_at: next, timezone } = schedule;
  const now = useNow();
  if (!stateOf(schedule).isOn) return <span className="faint">never</span>;
  if (now - Date.parse(next) < LATE_MS) return <Time at={next} zone={timezone} />;
  return (
    <span title="No process has started it at its time.">
      <Badge tone="warn">late</Badge> <Time at={next} zone={timezone} prefix="due " />
    </span>
  );
}

/** The path of the schedules of a story, where each is paused. */
export const schedulesPath = ({ story }: Schedule) => `/stories/${story.id}?view=schedules`;

/** The path of the action of a schedule, on the canvas of its story. */
export const actionPath = ({ action, story }: Schedule) => `/stories/${story.id}?action=${action.id}`;
