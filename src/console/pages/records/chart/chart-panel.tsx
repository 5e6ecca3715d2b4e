import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { RecordField, RecordType } from '../../../../../clients/typescript/api.js';
import { Card } from '../../../ui/card.js';
import { Select } from '../../../ui/form/field.js';
import { countWords, nounWords } from '../../../ui/words/figures.js';
import { Answer, Loading, Nothing } from '../../../ui/states.js';
import type { RecordQuery } from '../query/record-query.js';
import type { RecordQueryChange } from '../query/use-record-query.js';
import { fieldsOf, type ManyRecords, readMany } from '../records-data.js';
import { barsByTime, barsByValue, type ValueBar, type Weigh } from './record-bars.js';
import { keys } from '../../../api/keys.js';

const TimeBars = lazy(async () => ({ default: (await import('./time-bars.js')).TimeBars }));

/** The API adds nothing up, so the chart reads the records themselves: at most the newest of this number. */
const MOST = 5_000;
const MOST_VALUES = 12;
const FRESH_MS = 60_000;

interface ChartPanelProps {
  type: RecordType;
  query: RecordQuery;
  onChange: (change: RecordQueryChange) => void;
}

/** The records of the list as bars: how many, or a number of theirs added up, by time or by the values of a field. */
export function ChartPanel({ type, query, onChange }: ChartPanelProps) {
  const fields = fieldsOf(type);
  const numbers = fields.filter(({ result_type: kind }) => kind === 'NUMBER');
  const asked: RecordQuery = { ...query, columns: [], order: undefined, direction: 'DESC', page: 1 };
  const { chart: _chart, measure: _measure, ...key } = asked;
  const records = useQuery({
    queryKey: keys.recordChart(type.id, key),
    queryFn: ({ signal }) => readMany(type, asked, MOST, { signal }),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <Card
      title="Chart"
      aside={
        <>
          <Select
            aria-label="Bar height"
            value={query.measure ?? ''}
            onChange={({ target }) =>
              onChange({ measure: target.value === '' ? undefined : Number(target.value), page: query.page })
            }
          >
            <option value="">Record count</option>
            {numbers.map(({ id, name }) => (
              <option key={id} value={id}>
                Sum of {name}
              </option>
            ))}
          </Select>
          <Select
            aria-label="Group by"
            value={query.chart}
            onChange={({ target }) =>
              onChange({ chart: target.value as RecordQuery['chart'], page: query.page })
            }
          >
            <option value="time">over time</option>
            {fields
              .filter(({ result_type: kind }) => kind !== 'TIMESTAMP')
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  by {name}
                </option>
              ))}
          </Select>
        </>
      }
    >
      <Answer of={records} lines={6}>
        {(data) => <Bars data={data} fields={fields} query={query} />}
      </Answer>
    </Card>
  );
}

function Bars({ data, fields, query }: { data: ManyRecords; fields: RecordField[]; query: RecordQuery }) {
  const measure = fields.find(({ id }) => id === query.measure);
  const field = fields.find(({ id }) => String(id) === query.chart);
  const { records, count } = data;
  const weigh = useMemo<Weigh>(
    () => (measure === undefined ? () => 1 : (record) => Number(record[measure.name] ?? 0)),
    [measure],
  );
  const [zoneMs] = useState(() => new Date().getTimezoneOffset() * 60_000);
  const times = useMemo(() => barsByTime(records, weigh, zoneMs), [records, weigh, zoneMs]);
  const name = measure === undefined ? 'Record count' : `Sum of ${measure.name}`;
  if (records.length === 0) return <Nothing title="No data to chart." />;
  return (
    <div className="record-chart">
      {field === undefined ? (
        <Suspense fallback={<Loading lines={6} />}>
          <TimeBars bars={times} measure={name} />
        </Suspense>
      ) : (
        <ValueBars bars={barsByValue(records, field.name, weigh, MOST_VALUES)} />
      )}
      {count > records.length && (
        <p className="faint">
          The newest {countWords(records.length)} of {nounWords(count, 'record')}. Filter the list to get the
          rest.
        </p>
      )}
    </div>
  );
}

/** Bars with their names and figures; the list says the same without the bars. */
function ValueBars({ bars }: { bars: ValueBar[] }) {
  const top = Math.max(...bars.map(({ height }) => height), 0);
  return (
    <ul className="value-bars">
      {bars.map(({ name, height }) => (
        <li key={name}>
          <span className="cut" title={name}>
            {name.slice(0, 200)}
          </span>
          <span className="value-bar" aria-hidden="true">
            <i style={{ width: `${top > 0 ? Math.max((height / top) * 100, 0) : 0}%` }} />
          </span>
          <span className="number">{countWords(Number(height.toFixed(2)))}</span>
        </li>
      ))}
    </ul>
  );
}
