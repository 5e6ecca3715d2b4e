import '../../ui/form/filter-bar.css';
import './dead-letters.css';
import { MailCheck } from 'lucide-react';
import { useLocation, useSearch } from 'wouter';
import type { DeadLetterGroup } from '../../../../clients/typescript/api.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { nounWords } from '../../ui/words/figures.js';
import { SearchField } from '../../ui/form/search-field.js';
import { Answer, Nothing } from '../../ui/states.js';
import { SpanSelect, StorySelect } from '../runs/run-filter-bar.js';
import { useStoryNames } from '../runs/run-list-data.js';
import { GroupTable } from './group-table.js';
import { GroupView } from './group-view.js';
import { type LetterFilters, letterFiltersIn, letterPath } from './letter-filters.js';
import { useLetterGroups } from './letters-data.js';

/** Dead letters by action and kind of error; one group, if the address names one. */
export function DeadLettersPage() {
  useTitle('Dead letters');
  const [filters, change] = useLetterFilters();
  if (filters.group !== undefined) {
    return <GroupView filters={filters} name={filters.group} onLetter={(letter) => change({ letter })} />;
  }
  return <LetterGroups filters={filters} change={change} />;
}

interface GroupsProps {
  filters: LetterFilters;
  change: (change: Partial<LetterFilters>) => void;
  /** Whether they are those of one story, on its page. */
  isOfStory?: boolean;
}

/** Groups of dead letters with their filters. */
export function LetterGroups({ filters, change, isOfStory = false }: GroupsProps) {
  const found = useLetterGroups(filters);
  const names = useStoryNames().data;
  return (
    <div className="page">
      {!isOfStory && (
        <header className="page-head">
          <h1>Dead letters</h1>
          <span className="faint grow">{found.data && countOf(found.data)}</span>
        </header>
      )}
      <search className="filter-bar">
        <SearchField
          label="Search dead letters"
          placeholder="Part of the error message"
          text={filters.error}
          onSearch={(error) => change({ error })}
        />
        {!isOfStory && (
          <StorySelect story={filters.story} names={names} onStory={(story) => change({ story })} />
        )}
        <SpanSelect span={filters.span} onSpan={(span) => change({ span })} />
      </search>
      <div className="table-frame">
        <Answer of={found} lines={6}>
          {({ groups }) =>
            groups.length === 0 ? (
              <Empty filters={isOfStory ? { ...filters, story: undefined } : filters} />
            ) : (
              <GroupTable groups={groups} filters={filters} />
            )
          }
        </Answer>
      </div>
    </div>
  );
}

function countOf({ groups, complete }: { groups: readonly DeadLetterGroup[]; complete: boolean }): string {
  const words = nounWords(
    groups.reduce((sum, { dead_letters: count }) => sum + count, 0),
    'dead letter',
  );
  return complete ? words : `the newest ${words}`;
}

function Empty({ filters: { error, story, span } }: { filters: LetterFilters }) {
  const icon = <MailCheck aria-hidden="true" />;
  if (error !== '' || story !== undefined || span !== '') {
    return (
      <Nothing title="No dead letters match these filters." icon={icon}>
        <p>Remove a filter, or search for another part of the error message.</p>
      </Nothing>
    );
  }
  return (
    <Nothing title="No dead letters." icon={icon}>
      <p>Deliveries that used up all their attempts appear here and can be retried.</p>
    </Nothing>
  );
}

/** Returns the filters of the address, and changes them. */
function useLetterFilters(): [LetterFilters, (change: Partial<LetterFilters>) => void] {
  const [, go] = useLocation();
  const filters = letterFiltersIn(useSearch());
  return [filters, (change) => go(letterPath({ ...filters, ...change }), { replace: true })];
}
