import '../../ui/form/filter-bar.css';
import './cases.css';
import { BriefcaseBusiness, Plus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../api/signed-in.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button } from '../../ui/form/button.js';
import { nounWords } from '../../ui/words/figures.js';
import { Pager } from '../../ui/lists/pager.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Board } from './board/board.js';
import { CaseFilterBar } from './case-filter-bar.js';
import { type CaseFilters, isNarrowed } from './case-query.js';
import { CaseTable } from './case-table.js';
import { useCases } from './cases-data.js';
import { NewCaseDialog } from './new-case-dialog.js';
import { type CaseFiltersChange, useCaseFilters } from './use-case-filters.js';

/** Cases of all teams that the person may see, as a list or as a board. */
export function CasesPage() {
  useTitle('Cases');
  const [filters, change] = useCaseFilters();
  const [isMaking, setMaking] = useState(false);
  const mayMake = useMay('write');
  return (
    <div className="page">
      <header className="page-head">
        <h1>Cases</h1>
        <span className="page-note">{filters.view === 'list' && <CaseCount filters={filters} />}</span>
        <ViewChoice view={filters.view} onChange={change} />
        {mayMake && (
          <Button look="main" onClick={() => setMaking(true)}>
            <Plus aria-hidden="true" /> New case
          </Button>
        )}
      </header>
      <CaseFilterBar filters={filters} onChange={change} />
      {filters.view === 'board' ? (
        <Board filters={filters} />
      ) : (
        <CaseList filters={filters} onChange={change} onNew={mayMake ? () => setMaking(true) : undefined} />
      )}
      {isMaking && <NewCaseDialog onClose={() => setMaking(false)} />}
    </div>
  );
}

function ViewChoice({ view, onChange }: { view: CaseFilters['view']; onChange: CaseFiltersChange }) {
  return (
    <div className="row" role="group" aria-label="View">
      {(['list', 'board'] as const).map((each) => (
        <Button
          key={each}
          look="quiet"
          className={view === each ? 'view-chosen' : ''}
          aria-pressed={view === each}
          onClick={() => onChange({ view: each })}
        >
          {each === 'list' ? 'List' : 'Board'}
        </Button>
      ))}
    </div>
  );
}

function CaseCount({ filters }: { filters: CaseFilters }) {
  const cases = useCases(filters);
  return cases.data && nounWords(cases.data.meta.count, 'case');
}

interface CaseListProps {
  filters: CaseFilters;
  onChange: CaseFiltersChange;
  /** Absent for those who may open none. */
  onNew: (() => void) | undefined;
}

function CaseList({ filters, onChange, onNew }: CaseListProps) {
  const cases = useCases(filters);
  return (
    <>
      <div className="table-frame" aria-busy={cases.isFetching}>
        <Answer of={cases} lines={10}>
          {({ cases: found }) =>
            found.length > 0 ? (
              <CaseTable cases={found} />
            ) : (
              <NoCases filters={filters} onChange={onChange} onNew={onNew} />
            )
          }
        </Answer>
      </div>
      {cases.data && <Pager meta={cases.data.meta} onPage={(page) => onChange({ page })} />}
    </>
  );
}

function NoCases({ filters, onChange, onNew }: CaseListProps) {
  const icon = <BriefcaseBusiness aria-hidden="true" />;
  if (filters.page > 1) {
    return (
      <Nothing title="There are no items on this page." icon={icon}>
        <Button onClick={() => onChange({ page: 1 })}>Go to first page</Button>
      </Nothing>
    );
  }
  if (isNarrowed(filters)) {
    return (
      <Nothing title="No cases match these filters." icon={icon}>
        <p>Remove a filter to see more.</p>
      </Nothing>
    );
  }
  return (
    <Nothing title="No cases yet." icon={icon}>
      <p>Actions can open cases through the API.{onNew && ' You can also open one manually.'}</p>
      {onNew && <Button onClick={onNew}>New case</Button>}
    </Nothing>
  );
}
