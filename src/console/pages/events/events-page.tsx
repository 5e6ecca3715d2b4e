import '../../ui/form/filter-bar.css';
import '../runs/runs.css';
import './events.css';
import { Braces, X } from 'lucide-react';
import { lazy } from 'react';
import { Link, useSearch } from 'wouter';
import type { Event } from '../../../../clients/typescript/api.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button, IconButton } from '../../ui/form/button.js';
import { Select } from '../../ui/form/field.js';
import { Split, useFilteredAddress } from '../../ui/split/split.js';
import { Answer, Nothing } from '../../ui/states.js';
import { useStoryNames } from '../runs/run-list-data.js';
import { SearchNote } from '../runs/search-note.js';
import { RangeSelect } from '../runs/range/range-select.js';
import { PayloadFields } from '../runs/run-filter-bar.js';
import { useGraph } from '../story/story-data.js';
import { useEvents } from './event-data.js';
import { eventFiltersIn, type EventFilters, eventQueryOf, isNarrowed } from './event-query.js';
import { EventTable } from './event-table.js';
import { OlderSearchLine } from './older-search-line.js';
import { useOlderEvents } from './use-older-events.js';

const EventPage = lazy(async () => ({ default: (await import('../event/event-page.js')).EventPage }));

/** Events over time: of all stories, of an action, or with a value at a path. */
export function EventsPage() {
  useTitle('Events');
  const go = useFilteredAddress();
  const filters = eventFiltersIn(useSearch());
  const names = useStoryNames().data;
  const change = (part: Partial<EventFilters>) => {
    const query = eventQueryOf({ ...filters, ...part });
    go(query === '' ? '/events' : `/events?${query}`);
  };
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="grow">Events</h1>
      </header>
      <Split path="/events/:id" page={EventPage} label="Event">
        <FilterBar filters={filters} names={names} onChange={change} />
        {filters.compare !== undefined && (
          <p className="row row-wrap event-compare" role="status">
            <span className="grow">
              Choose the event to compare with{' '}
              <Link href={`/events/${filters.compare}`}>event {filters.compare}</Link>. The filters find those
              of other actions.
            </span>
            <Button onClick={() => change({ compare: undefined })}>Cancel comparison</Button>
          </p>
        )}
        <FoundEvents key={eventQueryOf(filters)} filters={filters} names={names} />
      </Split>
    </div>
  );
}

/** The events that the filters let through, and the ways to older ones. */
function FoundEvents({ filters, names }: Omit<FilterBarProps, 'onChange'>) {
  const events = useEvents(filters);
  const older = events.data?.pages.flatMap((page) => page.older) ?? [];
  const { search, start, stop } = useOlderEvents(older, filters);
  return (
    <>
      <div className="table-frame" aria-busy={events.isFetching}>
        <Answer of={events} lines={10}>
          {({ pages }) => {
            const all = joined(
              pages.flatMap((page) => page.events),
              search.found,
            );
            return all.length === 0 ? (
              <Empty isFiltered={isNarrowed(filters)} />
            ) : (
              <EventTable events={all} names={names} wanted={filters} compare={filters.compare} />
            );
          }}
        </Answer>
      </div>
      <SearchNote metas={events.data?.pages.flatMap(({ meta }) => meta ?? []) ?? []} isSearch />
      {older.length > 0 && <OlderSearchLine search={search} onStart={() => void start()} onStop={stop} />}
      {events.hasNextPage && (
        <Button disabled={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
          {events.isFetchingNextPage ? 'Loading…' : 'Older events'}
        </Button>
      )}
    </>
  );
}

/** Events that came meanwhile may have moved one from the newest of its run to the older ones. */
function joined(newest: readonly Event[], older: readonly Event[]): Event[] {
  return [...new Map([...newest, ...older].map((event) => [event.id, event])).values()];
}

interface FilterBarProps {
  filters: EventFilters;
  names: ReadonlyMap<number, string> | undefined;
  onChange: (change: Partial<EventFilters>) => void;
}

function FilterBar({ filters, names, onChange }: FilterBarProps) {
  const { story, path, value } = filters;
  return (
    <search className="filter-bar">
      <Select
        aria-label="Story"
        className="run-story"
        value={story ?? ''}
        onChange={({ target }) => onChange({ story: Number(target.value) || undefined, action: undefined })}
      >
        <option value="">All stories</option>
        {story !== undefined && names?.has(story) !== true && <option value={story}>Story {story}</option>}
        {[...(names ?? [])].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      {story !== undefined && <ActionSelect storyId={story} filters={filters} onChange={onChange} />}
      <RangeSelect range={filters} onRange={onChange} />
      <PayloadFields path={path} value={value} onChange={onChange} />
      {isNarrowed(filters) && (
        <IconButton
          label="Clear filters"
          onClick={() => onChange({ ...eventFiltersIn(''), compare: filters.compare })}
        >
          <X />
        </IconButton>
      )}
    </search>
  );
}

function ActionSelect({ storyId, filters, onChange }: { storyId: number } & Omit<FilterBarProps, 'names'>) {
  const actions = useGraph({ storyId, draftId: undefined }).data?.actions ?? [];
  return (
    <Select
      aria-label="Action"
      className="run-story"
      value={filters.action ?? ''}
      onChange={({ target }) => onChange({ action: Number(target.value) || undefined })}
    >
      <option value="">All actions</option>
      {actions.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Nothing title="No events match these filters." icon={<Braces aria-hidden="true" />}>
      <p>Remove a filter, or extend the time range. Paths look like body.alerts[0].id</p>
    </Nothing>
  ) : (
    <Nothing title="No events yet." icon={<Braces aria-hidden="true" />}>
      <p>Call a webhook, or start an action manually. Events appear here.</p>
    </Nothing>
  );
}
