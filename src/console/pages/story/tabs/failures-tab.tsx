import { useLocation, useSearch } from 'wouter';
import { LetterGroups } from '../../dead-letters/dead-letters-page.js';
import { letterFiltersIn, letterQuery } from '../../dead-letters/letter-filters.js';
import { viewPath, withQuery } from '../story-address.js';
import type { TabProps } from './tab-props.js';

/** The dead letters of the story by action and kind of error; a group opens on its own page. */
export function FailuresTab({ story: { id }, place: { draftId } }: TabProps) {
  const [, go] = useLocation();
  const { error, span } = letterFiltersIn(useSearch());
  const filters = { error, span, story: id, group: undefined, letter: undefined };
  return (
    <LetterGroups
      isOfStory
      filters={filters}
      change={(change) => {
        const query = letterQuery({ ...filters, ...change, story: undefined });
        go(withQuery(viewPath(id, 'failures', draftId), query), { replace: true });
      }}
    />
  );
}
