import '../stories/stories.css';
import './schedules.css';
import { CalendarClock, X } from 'lucide-react';
import { useMemo } from 'react';
import type { ListSchedulesResponse } from '../../../../clients/typescript/api.js';
import { useTitle } from '../../app/use-title.js';
import { Button } from '../../ui/form/button.js';
import { nounWords } from '../../ui/words/figures.js';
import { Pager } from '../../ui/pager.js';
import { SearchField } from '../../ui/form/search-field.js';
import { Answer, Nothing } from '../../ui/states.js';
import type { Shown } from './schedule-query.js';
import { chosenOf } from './schedule-state.js';
import { ScheduleTable } from './schedule-table.js';
import { useSchedules } from './schedules-data.js';
import { useShown } from './use-shown.js';
import { daysOf } from './week.js';
import { WeekCalendar } from './week-calendar.js';

const VIEWS = { week: 'Week', list: 'List' } as const;

/** When actions start runs by themselves: a calendar of a week, and a list. */
export function SchedulesPage() {
  useTitle('Schedules');
  const [shown, show] = useShown();
  const today = new Date().toDateString();
  // The days are the same until midnight, so that the answer is asked for once.
  const days = useMemo(() => daysOf(shown.week, Date.parse(today)), [shown.week, today]);
  const until = new Date(days.at(-1)?.until ?? 0).toISOString();
  const schedules = useSchedules({ page: shown.page, story: shown.story, until });
  return (
    <div className="page">
      <header className="page-head">
        <h1>Schedules</h1>
        <span className="faint grow">
          {schedules.data && nounWords(schedules.data.meta.count, 'schedule')}
        </span>
        {(Object.keys(VIEWS) as Shown['view'][]).map((view) => (
          <Button key={view} aria-pressed={shown.view === view} onClick={() => show({ view })}>
            {VIEWS[view]}
          </Button>
        ))}
      </header>
      <FilterBar shown={shown} show={show} />
      <Answer of={schedules} lines={8}>
        {(data) => <Found data={data} shown={shown} show={show} />}
      </Answer>
    </div>
  );
}

interface Showing {
  shown: Shown;
  show: (change: Partial<Shown>) => void;
}

function FilterBar({ shown, show }: Showing) {
  return (
    <div className="filter-bar" role="search">
      <SearchField
        label="Find a schedule"
        placeholder="Action or story"
        text={shown.search}
        onSearch={(search) => show({ search, page: shown.page })}
      />
      <label className="row">
        <input
          type="checkbox"
          checked={shown.onlyOn}
          onChange={({ target }) => show({ onlyOn: target.checked, page: shown.page })}
        />
        Only those that start runs
      </label>
      {shown.story !== undefined && (
        <Button onClick={() => show({ story: undefined })}>
          <X aria-hidden="true" /> One story only
        </Button>
      )}
    </div>
  );
}

function Found({ data: { schedules, meta }, shown, show }: Showing & { data: ListSchedulesResponse }) {
  if (meta.count === 0) {
    return (
      <Nothing title="No action starts by itself." icon={<CalendarClock aria-hidden="true" />}>
        <p>Import a story with an action that has a schedule, such as every weekday at nine.</p>
      </Nothing>
    );
  }
  const chosen = chosenOf(schedules, shown);
  return (
    <>
      {chosen.length === 0 && (
        <Nothing title="No schedule is like that.">
          <Button onClick={() => show({ search: '', onlyOn: false })}>Show all</Button>
        </Nothing>
      )}
      {chosen.length > 0 && shown.view === 'list' && <ScheduleTable schedules={chosen} />}
      {chosen.length > 0 && shown.view === 'week' && (
        <WeekCalendar
          schedules={chosen}
          week={shown.week}
          onWeek={(week) => show({ week, page: shown.page })}
        />
      )}
      <Pager meta={meta} onPage={(page) => show({ page })} />
    </>
  );
}
