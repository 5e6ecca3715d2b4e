import { useSearch } from 'wouter';
import { useFilteredAddress } from '../../../ui/split/split.js';
import { RunList } from '../../runs/run-list.js';
import { filtersIn, queryOf } from '../../runs/run-query.js';
import { viewPath, withQuery } from '../story-address.js';
import type { TabProps } from './tab-props.js';

/** The runs of the story, and the chosen one beside them. */
export function RunsTab({ story: { id }, place: { draftId } }: TabProps) {
  const go = useFilteredAddress();
  const filters = { ...filtersIn(useSearch()), story: undefined };
  return (
    <div className="page">
      <RunList
        ofStory={id}
        filters={filters}
        onChange={(change) =>
          go(withQuery(viewPath(id, 'runs', draftId), queryOf({ ...filters, ...change })))
        }
      />
    </div>
  );
}
