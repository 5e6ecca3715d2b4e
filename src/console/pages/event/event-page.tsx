import '../story/story.css';
import './event.css';
import { Link, useLocation, useParams, useSearch } from 'wouter';
import type { Event } from '../../../../clients/typescript/api.js';
import { isAbsent } from '../../text/problems.js';
import { NotFoundPage } from '../../ui/not-found-page.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Badge } from '../../ui/words/badge.js';
import { JsonView } from '../../ui/json-view/json-view.js';
import { slugOf } from '../../text/action-slug.js';
import { Failed, Loading, LoadingPage } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { Time } from '../../ui/words/time.js';
import { useEvent } from '../run/run-data.js';
import { CompareButton, ComparePreviousButton } from './compare-button.js';
import { shortGuid } from '../runs/run-words.js';
import { Lineage } from './lineage.js';

/** One event: what its action put out, what its receivers see, and what led to it. */
export function EventPage() {
  const id = Number(useParams<{ id: string }>().id);
  useTitle(`Event ${id}`);
  const event = useEvent(id, 'own');
  if (event.data === undefined) {
    if (event.error && isAbsent(event.error)) return <NotFoundPage />;
    return event.error ? <Failed error={event.error} retry={event.refetch} /> : <LoadingPage />;
  }
  return <Opened event={event.data} />;
}

function Opened({ event }: { event: Event }) {
  const [place, go] = useLocation();
  const shown = new URLSearchParams(useSearch()).get('tab') ?? 'own';
  const root = [slugOf(event.agent_name ?? '')].filter(Boolean);
  const tabs = [
    {
      key: 'own',
      name: 'Output',
      content: () => <JsonView fills isSearched value={event.payload} label="Output" root={root} />,
    },
    { key: 'whole', name: 'What receivers see', content: () => <Whole id={event.id} /> },
    { key: 'lineage', name: 'Preceding events', content: () => <Lineage event={event} /> },
  ];
  return (
    <div className="story event-page">
      <EventHead event={event} />
      {event.incomplete && <p className="event-note">The payload was deleted or is too large to display.</p>}
      <Tabs
        label="Event"
        tabs={tabs}
        chosen={tabs.some(({ key }) => key === shown) ? shown : 'own'}
        onChoose={(key) => go(key === 'own' ? place : `${place}?tab=${key}`, { replace: true })}
      />
    </div>
  );
}

function EventHead({ event }: { event: Event }) {
  const run = `/runs/${event.story_id}/${event.story_run_guid}`;
  return (
    <header className="story-head">
      <div className="grow story-title">
        <h1 className="cut">
          <Link href="/events" className="soft">
            Events
          </Link>
          <span className="faint"> / </span>
          {event.id}
        </h1>
        <div className="row row-wrap faint">
          <Badge tone="info">{event.agent_name ?? 'deleted action'}</Badge>
          <Time at={event.created_at} />
          <Link href={`${run}?step=event-${event.id}`}>Run {shortGuid(event.story_run_guid)}</Link>
          <Link href={`/stories/${event.story_id}?action=${event.agent_id}`}>Action</Link>
        </div>
      </div>
      <ComparePreviousButton id={event.id} actionId={event.agent_id} storyId={event.story_id} />
      <CompareButton id={event.id} actionId={event.agent_id} storyId={event.story_id} />
    </header>
  );
}

function Whole({ id }: { id: number }) {
  const event = useEvent(id, 'whole');
  if (event.data === undefined) {
    return event.error ? <Failed error={event.error} retry={event.refetch} /> : <Loading />;
  }
  return (
    <>
      {event.data.incomplete && (
        <p className="event-note">Parts of it were deleted or are too large to display.</p>
      )}
      <JsonView fills isSearched value={event.data.payload} label="What receivers see" />
    </>
  );
}
