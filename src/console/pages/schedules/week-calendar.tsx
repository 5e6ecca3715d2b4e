import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { Schedule } from '../../../../clients/typescript/api.js';
import { Button } from '../../ui/form/button.js';
import { Card } from '../../ui/card.js';
import { countWords, nounWords } from '../../ui/words/figures.js';
import { spanWords } from '../../ui/words/since.js';
import { exactWords } from '../../ui/words/time.js';
import { useNow } from '../../ui/words/use-now.js';
import { cronWords } from './cron-words.js';
import { ScheduleBadges, schedulesPath } from './schedule-badges.js';
import { LAST_WEEK } from './schedule-query.js';
import { stateOf } from './schedule-state.js';
import { type Day, type DayStarts, entriesOf, gapOf, isOften } from './week.js';
import { isolated } from '../../text/isolated.js';
import { LOCALE } from '../../text/locale.js';

const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: 'short' });
const date = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
/** Entries of a day before a person asks for all. */
const MOST_OF_DAY = 100;
const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

interface WeekCalendarProps {
  schedules: Schedule[];
  days: readonly Day[];
  week: number;
  onWeek: (week: number) => void;
}

/** The starts of seven days in the viewer's zone; what starts all the time stands beside them. */
export function WeekCalendar({ schedules, days, week, onWeek }: WeekCalendarProps) {
  const [often, others] = useMemo(
    () => [
      schedules.filter((schedule) => isOften(schedule, days)),
      schedules.filter((schedule) => !isOften(schedule, days)),
    ],
    [schedules, days],
  );
  return (
    <>
      {often.length > 0 && <Often schedules={often} />}
      <Card
        className="week-card"
        title={week === 0 ? 'The next seven days' : spanOfDays(days)}
        aside={<Weeks week={week} onWeek={onWeek} />}
      >
        <ol className="week">
          {days.map((day) => (
            <DayColumn key={day.from} day={day} schedules={others} />
          ))}
        </ol>
      </Card>
    </>
  );
}

function Weeks({ week, onWeek }: Pick<WeekCalendarProps, 'week' | 'onWeek'>) {
  return (
    <>
      <span className="faint grow week-zone">times in {zone}</span>
      <Button look="quiet" disabled={week === 0} onClick={() => onWeek(week - 1)}>
        <ChevronLeft aria-hidden="true" /> Earlier
      </Button>
      <Button look="quiet" disabled={week >= LAST_WEEK} onClick={() => onWeek(week + 1)}>
        Later <ChevronRight aria-hidden="true" />
      </Button>
    </>
  );
}

function DayColumn({ day, schedules }: { day: Day; schedules: Schedule[] }) {
  const [isWhole, setWhole] = useState(false);
  const entries = useMemo(() => entriesOf(schedules, day), [schedules, day]);
  const shown = isWhole ? entries : entries.slice(0, MOST_OF_DAY);
  const now = useNow();
  const isToday = now >= day.from && now < day.until;
  return (
    <li className={isToday ? 'day today' : 'day'}>
      <h3>
        {isToday ? 'Today' : weekday.format(day.from)} <span className="faint">{date.format(day.from)}</span>
      </h3>
      {entries.length === 0 && <p className="faint">Nothing starts</p>}
      <ol>
        {shown.map((entry) => (
          <li key={`${entry.schedule.id} ${entry.times[0]}`}>
            <Entry entry={entry} />
          </li>
        ))}
      </ol>
      {shown.length < entries.length && (
        <Button onClick={() => setWhole(true)}>
          {nounWords(entries.length - shown.length, 'more start', 'more starts')}
        </Button>
      )}
    </li>
  );
}

function Entry({ entry: { schedule, times } }: { entry: DayStarts }) {
  const { action, story, timezone } = schedule;
  const { isOn, reasons } = stateOf(schedule);
  const [first = '', last = ''] = [times[0], times.at(-1)];
  const at = times.length === 1 ? clock.format(new Date(first)) : `${countWords(times.length)} starts`;
  const exact =
    times.length === 1 ? exactWords(first, timezone) : `${exactWords(first, timezone)} – ${exactWords(last)}`;
  return (
    <Link
      href={schedulesPath(schedule)}
      className={isOn ? 'start' : 'start off'}
      title={[exact, `${isolated(story.name)} › ${action.name}`, ...reasons].join('\n')}
    >
      <span className="start-time">{at}</span>
      <span className="cut">{action.name}</span>
      {!isOn && <span className="unseen">({reasons.join(', ')})</span>}
    </Link>
  );
}

function Often({ schedules }: { schedules: Schedule[] }) {
  return (
    <Card title="Continuous" aside={<span className="faint">too often for a calendar</span>}>
      <ul className="often">
        {schedules.map((schedule) => (
          <li key={schedule.id}>
            <span className="often-words">{oftenWords(schedule)}</span>
            <span
              className="grow cut schedule-name"
              title={`${isolated(schedule.story.name)} › ${schedule.action.name}`}
            >
              <Link href={schedulesPath(schedule)}>{schedule.action.name}</Link>{' '}
              <span className="faint">in {schedule.story.name}</span>
            </span>
            <ScheduleBadges schedule={schedule} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function oftenWords({ cron, starts }: Schedule): string {
  const gap = gapOf(starts);
  return cronWords(cron) ?? (gap === undefined ? cron : `about every ${spanWords(gap)}`);
}

function spanOfDays(days: readonly Day[]): string {
  const [first, last] = [days[0], days.at(-1)];
  return `${date.format(first?.from)} – ${date.format(last?.from)}`;
}
