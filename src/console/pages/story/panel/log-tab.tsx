import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { LogLines } from '../../../ui/log-lines.js';
import { Answer } from '../../../ui/states.js';
import type { Place } from '../story-data.js';

const SHOWN = 50;

/** The newest lines of the action's log. */
export function LogTab({ actionId, place }: { actionId: number; place: Place }) {
  const lines = useQuery({
    queryKey: keys.place(place).log(actionId),
    queryFn: async () => (await api.actions.logs.list({ id: actionId, per_page: SHOWN })).action_logs,
  });
  return <Answer of={lines}>{(all) => <LogLines lines={all} empty="No log lines." />}</Answer>;
}
