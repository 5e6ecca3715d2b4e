import '../../../ui/lists/table.css';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ListedRecord, RecordField } from '../../../../../clients/typescript/api.js';
import type { RecordQuery } from '../query/record-query.js';
import type { RecordQueryChange } from '../query/use-record-query.js';
import { Badge } from '../../../ui/words/badge.js';
import { Time } from '../../../ui/words/time.js';
import { isoOfRecord } from '../query/local-time.js';
import { valueText } from '../value-text.js';
import { OPENS_ROW } from '../../../ui/lists/open-rows.js';

interface RecordTableProps {
  records: ListedRecord[];
  fields: RecordField[];
  query: RecordQuery;
  onChange: (change: RecordQueryChange) => void;
  onOpen: (id: number) => void;
}

/** Records with one column for each field; a heading orders the list by its field. */
export function RecordTable({ records, fields, query, onChange, onOpen }: RecordTableProps) {
  return (
    <table className="table record-table">
      <thead>
        <tr>
          <Heading name="Record" query={query} field={undefined} onChange={onChange} />
          {fields.map((field) => (
            <Heading key={field.id} name={field.name} query={query} field={field} onChange={onChange} />
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={record.id}>
            <td>
              <button type="button" className="record-id" {...OPENS_ROW} onClick={() => onOpen(record.id)}>
                {record.id}
              </button>
            </td>
            {fields.map(({ id, name, result_type: type }) => (
              <td key={id} className={`record-value ${type === 'NUMBER' ? 'number' : ''}`}>
                <RecordCell type={type} value={record[name]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface HeadingProps {
  name: string;
  /** Undefined for the order of creation. */
  field: RecordField | undefined;
  query: RecordQuery;
  onChange: (change: RecordQueryChange) => void;
}

function Heading({ name, field, query, onChange }: HeadingProps) {
  const isOrder = query.order === field?.id;
  const Arrow = query.direction === 'ASC' ? ArrowUp : ArrowDown;
  const turned = query.direction === 'ASC' ? 'DESC' : 'ASC';
  const sort = query.direction === 'ASC' ? 'ascending' : 'descending';
  return (
    <th className={field?.result_type === 'NUMBER' ? 'number' : ''} {...(isOrder && { 'aria-sort': sort })}>
      <button
        type="button"
        className="record-order"
        title={field === undefined ? 'Sort by creation time' : field.name}
        onClick={() => onChange({ order: field?.id, direction: isOrder ? turned : 'DESC' })}
      >
        <span className="cut">{name}</span>
        {isOrder && <Arrow aria-hidden="true" />}
      </button>
    </th>
  );
}

/** One value, as its type is read best. */
function RecordCell({ type, value }: { type: RecordField['result_type']; value: unknown }) {
  const text = valueText(value);
  if (text === '') return <span className="faint">–</span>;
  const time = type === 'TIMESTAMP' ? isoOfRecord(value) : undefined;
  if (time !== undefined) return <Time at={time} />;
  if (type === 'TEXT_ENUM' || type === 'BOOLEAN') return <Badge title={text}>{text}</Badge>;
  return <span title={text.slice(0, 2_000)}>{text.slice(0, 500)}</span>;
}
