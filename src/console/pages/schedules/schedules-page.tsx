import '../../ui/form/filter-bar.css';
import './schedules.css';
import { CalendarClock, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button } from '../../ui/form/button.js';
import { countWords, nounWords } from '../../ui/words/figures.js';
import { Pager } from '../../ui/lists/pager.js';
import { SearchField } from '../../ui/form/search-field.js';
import { Answer, Nothing } from '../../ui/states.js';
import { useNow } from '../../ui/words/use-now.js';
import { queryOf, type Shown, shownIn } from './schedule-query.js';
import { pageOf } from './schedule-pages.js';
import { chosenOf } from './schedule-state.js';
import { ScheduleTable } from './schedule-table.js';
import { type ReadSchedules, useSchedules } from './schedules-data.js';
import { type Day, daysOf } from './week.js';
import { WeekCalendar } from './week-calendar.js';

const VIEWS = { week: 'Week', list: 'List' } as const;
/** Schedules that are read by themselves, and each time that a person asks for more. */
const MOST_READ = 2_000;

/** When actions start runs by themselves: a calendar of a week, and a list. */
export function SchedulesPage() {
  useTitle('Schedules');
  const [shown, show] = useShown();
  const today = new Date(useNow()).toDateString();
  // The days are the same until midnight, so that the response is asked for once.
  const days = useMemo(() => daysOf(shown.week, Date.parse(today)), [shown.week, today]);
  const until = new Date(days.at(-1)?.until ?? 0).toISOString();
  const [most, setMost] = useState(MOST_READ);
  const schedules = useSchedules({ story: shown.story, until, most });
  return (
    <div className="page">
      <header className="page-head">
        <h1>Schedules</h1>
        <span className="page-note">{schedules.data && nounWords(schedules.data.count, 'schedule')}</span>
        <div className="row" role="group" aria-label="View">
          {(Object.keys(VIEWS) as Shown['view'][]).map((view) => (
            <Button
              key={view}
              look="quiet"
              className={shown.view === view ? 'view-chosen' : ''}
              aria-pressed={shown.view === view}
              onClick={() => show({ view })}
            >
              {VIEWS[view]}
            </Button>
          ))}
        </div>
      </header>
      <FilterBar shown={shown} show={show} />
      <Answer of={schedules} lines={8}>
        {(data) => (
          <>
            <Missing data={data} isReading={schedules.isReading} onMore={() => setMost(most + MOST_READ)} />
            <Found data={data} days={days} shown={shown} show={show} />
          </>
        )}
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
    <search className="filter-bar">
      <SearchField
        label="Find a schedule"
        placeholder="Action or story"
        text={shown.search}
        onSearch={(search) => show({ search })}
      />
      <label className="row">
        <input
          type="checkbox"
          checked={shown.onlyOn}
          onChange={({ target }) => show({ onlyOn: target.checked })}
        />
        Only active schedules
      </label>
      {shown.story !== undefined && (
        <Button onClick={() => show({ story: undefined })}>
          <X aria-hidden="true" /> One story only
        </Button>
      )}
    </search>
  );
}

/** Tells that schedules are missing, from the search too, and reads more of them. */
function Missing(props: { data: ReadSchedules; isReading: boolean; onMore: () => void }) {
  const { data, isReading, onMore } = props;
  const read = data.schedules.length;
  if (read >= data.count) return null;
  return (
    <p className="row row-wrap" role="status">
      <span>
        Only the {nounWords(read, 'schedule')} that start next are shown, of {countWords(data.count)}.
      </span>
      <Button disabled={isReading} onClick={onMore}>
        {isReading ? 'Loading…' : 'Load more'}
      </Button>
    </p>
  );
}

function Found({ data, days, shown, show }: Showing & { data: ReadSchedules; days: Day[] }) {
  const { schedules, count } = data;
  const { search, onlyOn } = shown;
  const chosen = useMemo(() => chosenOf(schedules, { search, onlyOn }), [schedules, search, onlyOn]);
  const { items, meta } = pageOf(chosen, shown.page);
  if (count === 0) {
    return (
      <div className="table-frame">
        <Nothing title="No schedules yet." icon={<CalendarClock aria-hidden="true" />}>
          <p>Import a story with a scheduled action, such as every weekday at nine.</p>
        </Nothing>
      </div>
    );
  }
  return (
    <>
      {chosen.length === 0 && (
        <div className="table-frame">
          <Nothing title="No schedules match these filters." icon={<CalendarClock aria-hidden="true" />}>
            <Button onClick={() => show({ search: '', onlyOn: false })}>Show all</Button>
          </Nothing>
        </div>
      )}
      {chosen.length > 0 && shown.view === 'list' && <ScheduleTable schedules={items} />}
      {chosen.length > 0 && shown.view === 'week' && (
        <WeekCalendar schedules={chosen} days={days} week={shown.week} onWeek={(week) => show({ week })} />
      )}
      {shown.view === 'list' && <Pager meta={meta} onPage={(page) => show({ page })} />}
    </>
  );
}

/** Returns what the address names, and changes it; a change of the filters leads to the first page. */
function useShown(): [Shown, (change: Partial<Shown>) => void] {
  const [, go] = useLocation();
  const shown = shownIn(useSearch());
  const change = (part: Partial<Shown>) => {
    const query = queryOf({ ...shown, page: 1, ...part });
    go(`/schedules${query === '' ? '' : `?${query}`}`, { replace: true });
  };
  return [shown, change];
}
