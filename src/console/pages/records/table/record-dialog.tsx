import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Record as StoredRecord } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { Badge } from '../../../ui/words/badge.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { Answer } from '../../../ui/states.js';
import { Time } from '../../../ui/words/time.js';

/** A record with all of its values, its children, its story and its cases. */
export function RecordDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const record = useQuery({ queryKey: keys.record(id), queryFn: () => api.records.get({ id }) });
  return (
    <Dialog title={`Record ${id}`} wide onClose={onClose}>
      <div className="dialog-body stack">
        <Answer of={record}>
          {(data) => (
            <>
              <Origin record={data} />
              <Values values={data.records} />
              {data.child_records.map((child) => (
                <section key={child.id} className="stack" aria-label={`Child record ${child.id}`}>
                  <h3>Child record {child.id}</h3>
                  <Values values={child.records} />
                </section>
              ))}
            </>
          )}
        </Answer>
      </div>
    </Dialog>
  );
}

function Origin({ record }: { record: StoredRecord }) {
  const { story, case_ids: cases, parent_id: parent, test_mode: isTest } = record;
  return (
    <p className="row row-wrap soft">
      <Badge>{record.record_type.name}</Badge>
      {isTest && <Badge tone="warn">test</Badge>}
      <span>
        created <Time at={record.created_at} />
      </span>
      <span>
        changed <Time at={record.updated_at} />
      </span>
      {story === null ? <span>by the API</span> : <Link href={`/stories/${story.id}`}>{story.name}</Link>}
      {parent !== null && <span>child of record {parent}</span>}
      {cases.map((id) => (
        <Link key={id} href={`/cases/${id}`}>
          case {id}
        </Link>
      ))}
    </p>
  );
}

function Values({ values }: { values: StoredRecord['records'] }) {
  return (
    <dl className="record-values">
      {values.map(({ field_id: id, name, value }) => (
        <div key={id}>
          <dt className="wrap">{name}</dt>
          <dd>{value === null || value === '' ? <span className="faint">–</span> : <pre>{value}</pre>}</dd>
        </div>
      ))}
    </dl>
  );
}
