import type { Schedule } from '../../../../clients/typescript/api.js';
import { useMay } from '../../api/signed-in.js';
import { Time } from '../../ui/words/time.js';
import { Badge } from '../../ui/words/badge.js';
import { GuardBadge } from '../story/guard-badge.js';
import { SwitchButton } from '../story/switch-button.js';
import { stateOf } from './schedule-state.js';
import { useSwitch } from './schedules-data.js';

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

/** The status tells of starts that were left out for as long. */
const RECENT_MS = 24 * 60 * 60 * 1000;
const SKIPPED = {
  late: 'No process was running at these times. Skipped starts are not run later.',
  quota: 'The daily run quota was used up. Skipped starts are not run later.',
};

function isRecent(time: string): boolean {
  return Date.now() - Date.parse(time) < RECENT_MS;
}

/** Enables or disables the action; a guarded story says why it does not. */
export function ScheduleSwitch({ schedule }: { schedule: Schedule }) {
  const { action, team_id: team } = schedule;
  const maySwitch = useMay('write', team);
  const switching = useSwitch(schedule);
  const [guard] = stateOf(schedule).guards;
  if (!maySwitch) return null;
  return (
    <SwitchButton action={action} guard={guard} isBusy={switching.isPending} onSwitch={switching.mutate} />
  );
}

/** The path of the action of a schedule, on the canvas of its story. */
export const actionPath = ({ action, story }: Schedule) => `/stories/${story.id}?action=${action.id}`;
