import './records.css';
import { ChartColumn, Table } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { RecordType } from '../../../../clients/typescript/api.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button } from '../../ui/form/button.js';
import { Select } from '../../ui/form/field.js';
import { nounWords } from '../../ui/words/figures.js';
import { Pager } from '../../ui/lists/pager.js';
import { Answer, Nothing } from '../../ui/states.js';
import { ChartPanel } from './chart/chart-panel.js';
import { DownloadButton } from './download/download-button.js';
import { FilterBuilder } from './query/filter-builder.js';
import type { RecordQuery } from './query/record-query.js';
import { type RecordQueryChange, useRecordQuery } from './query/use-record-query.js';
import { fieldsOf, shownFields, useRecords, useRecordTypes } from './records-data.js';
import { ColumnMenu } from './table/column-menu.js';
import { RecordDialog } from './table/record-dialog.js';
import { RecordTable } from './table/record-table.js';

/** Records of one type: filters, columns, order, a chart, and the list as a file. */
export function RecordsPage() {
  useTitle('Records');
  const types = useRecordTypes();
  const [query, change] = useRecordQuery();
  return (
    <div className="page">
      <Answer of={types} lines={8}>
        {(all) => {
          const type = query.type === undefined ? all[0] : all.find(({ id }) => id === query.type);
          if (all.length === 0) return <NoTypes />;
          if (type === undefined)
            return <UnknownType onFirst={() => change({ type: undefined, filters: [] })} />;
          return <RecordList key={type.id} types={all} type={type} query={query} onChange={change} />;
        }}
      </Answer>
    </div>
  );
}

interface RecordListProps {
  types: RecordType[];
  type: RecordType;
  query: RecordQuery;
  onChange: (change: RecordQueryChange) => void;
}

function RecordList({ types, type, query, onChange }: RecordListProps) {
  const records = useRecords(type, query);
  const fields = fieldsOf(type);
  const shown = shownFields(type, query.columns);
  const [open, setOpen] = useState<number>();
  return (
    <>
      <header className="page-head">
        <h1>Records</h1>
        <TypeChoice types={types} type={type} onChange={onChange} />
        <span className="page-note">{records.data && nounWords(records.data.meta.count, 'record')}</span>
        <Button
          aria-pressed={query.chart !== ''}
          onClick={() => onChange({ chart: query.chart === '' ? 'time' : '', page: query.page })}
        >
          <ChartColumn aria-hidden="true" /> Chart
        </Button>
        <ColumnMenu
          fields={fields}
          shown={shown}
          onChange={(columns) => onChange({ columns, page: query.page })}
        />
        <DownloadButton type={type} query={query} />
      </header>
      <FilterBuilder fields={fields} query={query} onChange={onChange} />
      {query.chart !== '' && <ChartPanel type={type} query={query} onChange={onChange} />}
      <div className="table-frame" tabIndex={0} role="region" aria-label={`Records of ${type.name}`}>
        <Answer of={records} lines={10}>
          {({ record_results: results }) =>
            results.length === 0 ? (
              <NoRecords query={query} />
            ) : (
              <RecordTable
                records={results}
                fields={shown}
                query={query}
                onChange={onChange}
                onOpen={setOpen}
              />
            )
          }
        </Answer>
      </div>
      {records.data && <Pager meta={records.data.meta} onPage={(page) => onChange({ page })} />}
      {open !== undefined && <RecordDialog id={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** Another type has other fields, so nothing of the list stays. */
function TypeChoice({ types, type, onChange }: Pick<RecordListProps, 'types' | 'type' | 'onChange'>) {
  const choose = (id: number) =>
    onChange({ type: id, filters: [], order: undefined, columns: [], chart: '', measure: undefined });
  return (
    <Select aria-label="Record type" value={type.id} onChange={({ target }) => choose(Number(target.value))}>
      {types.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** The page without a type: its heading, and why there is no list. */
function Without({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="page-head">
        <h1>Records</h1>
      </header>
      <div className="table-frame">{children}</div>
    </>
  );
}

function NoTypes() {
  return (
    <Without>
      <Nothing title="No record types yet." icon={<Table aria-hidden="true" />}>
        <p>
          A record type defines the fields of its records. Create one through the API (
          <code>POST /api/v1/record_types</code>
          ). Actions and the API can then write records of that type.
        </p>
      </Nothing>
    </Without>
  );
}

function UnknownType({ onFirst }: { onFirst: () => void }) {
  return (
    <Without>
      <Nothing title="Record type not found." icon={<Table aria-hidden="true" />}>
        <p>It was deleted, or belongs to a team you are not a member of.</p>
        <Button onClick={onFirst}>Show the newest type</Button>
      </Nothing>
    </Without>
  );
}

function NoRecords({ query: { filters, from, to, tests, page } }: { query: RecordQuery }) {
  const isNarrowed = filters.length > 0 || from !== '' || to !== '' || tests || page > 1;
  return isNarrowed ? (
    <Nothing title="No records match these filters." icon={<Table aria-hidden="true" />}>
      <p>Remove a filter, or change the time range.</p>
    </Nothing>
  ) : (
    <Nothing title="No records of this type yet." icon={<Table aria-hidden="true" />}>
      <p>Records are written by actions and through the API.</p>
    </Nothing>
  );
}
