import { FilePenLine, Lock } from 'lucide-react';
import type { Schedule } from '../../../../clients/typescript/api.js';
import { useMay } from '../../app/signed-in.js';
import { Badge } from '../../ui/words/badge.js';
import { Button } from '../../ui/form/button.js';
import { stateOf } from './schedule-state.js';
import { useSwitch } from './schedules-data.js';

const GUARD_WORDS = {
  locked: 'The story is locked: it runs, but its actions may not be changed.',
  'change control': 'The story runs; its actions change by a promoted change request only.',
};

/** Why a schedule starts nothing, and why it may not be changed: these are different things, and look so. */
export function ScheduleBadges({ schedule }: { schedule: Schedule }) {
  const { reasons, guards } = stateOf(schedule);
  return (
    <>
      {reasons.map((reason) => (
        <Badge key={reason} title="It starts no runs.">
          {reason}
        </Badge>
      ))}
      {guards.map((guard) => (
        <Badge key={guard} tone="info" title={GUARD_WORDS[guard]}>
          {guard === 'locked' ? <Lock aria-hidden="true" /> : <FilePenLine aria-hidden="true" />}
          {guard}
        </Badge>
      ))}
    </>
  );
}

/** Enables or disables the action; a guarded story says why it does not. */
export function ScheduleSwitch({ schedule }: { schedule: Schedule }) {
  const { action, team_id: team } = schedule;
  const maySwitch = useMay('write', team);
  const switching = useSwitch(schedule);
  const [guard] = stateOf(schedule).guards;
  if (!maySwitch) return null;
  const word = action.disabled ? 'Enable' : 'Disable';
  return (
    <Button
      aria-label={`${word} ${action.name}`}
      disabled={switching.isPending || guard !== undefined}
      title={guard === undefined ? `${word} the action` : GUARD_WORDS[guard]}
      onClick={() => switching.mutate(!action.disabled)}
    >
      {word}
    </Button>
  );
}

/** The path of the action of a schedule, on the canvas of its story. */
export const actionPath = ({ action, story }: Schedule) => `/stories/${story.id}?action=${action.id}`;
