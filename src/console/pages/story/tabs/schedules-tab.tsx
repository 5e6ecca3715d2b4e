import '../../../ui/lists/lines.css';
import '../../schedules/schedules.css';
import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import type { Schedule } from '../../../../../clients/typescript/api.js';
import { Card } from '../../../ui/card.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { exactWords, Time } from '../../../ui/words/time.js';
import { ScheduleTable } from '../../schedules/schedule-table.js';
import { stateOf } from '../../schedules/schedule-state.js';
import { useSchedules } from '../../schedules/schedules-data.js';
import type { TabProps } from './tab-props.js';

const WEEK_MS = 7 * 24 * 60 * 60_000;
/** More than a story has. */
const MOST = 2_000;
const STARTS_SHOWN = 8;

/** The schedules of the story, each with a switch of its own, and the next starts of all of them. */
export function SchedulesTab({ story: { id } }: TabProps) {
  // Fixed while the tab is open, so that the response is asked for once.
  const [until] = useState(() => new Date(Date.now() + WEEK_MS).toISOString());
  return (
    <div className="page">
      <Answer of={useSchedules({ story: id, until, most: MOST })} lines={6}>
        {({ schedules }) =>
          schedules.length === 0 ? (
            <Nothing title="This story has no schedules." icon={<CalendarClock aria-hidden="true" />} />
          ) : (
            <>
              <ScheduleTable isOfStory schedules={schedules} />
              <NextStarts schedules={schedules} />
            </>
          )
        }
      </Answer>
    </div>
  );
}

function NextStarts({ schedules }: { schedules: readonly Schedule[] }) {
  const starts = nextStarts(schedules);
  return (
    <Card title="Next starts" aside={<span className="faint">within seven days</span>}>
      {starts.length === 0 ? (
        <Nothing title="No starts scheduled." />
      ) : (
        <ol className="lines">
          {starts.map(({ at, schedule }) => (
            <li key={`${schedule.id} ${at}`} className="line row">
              <span className="story-start">{exactWords(at)}</span>
              <span className="grow cut soft">{schedule.action.name}</span>
              <span className="faint">
                <Time at={at} zone={schedule.timezone} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

/** Returns the next starts of the schedules that start runs, the first one first. */
function nextStarts(schedules: readonly Schedule[]): { at: string; schedule: Schedule }[] {
  return schedules
    .filter((schedule) => stateOf(schedule).isOn)
    .flatMap((schedule) => (schedule.starts ?? []).slice(0, STARTS_SHOWN).map((at) => ({ at, schedule })))
    .toSorted((one, other) => (one.at < other.at ? -1 : 1))
    .slice(0, STARTS_SHOWN);
}
