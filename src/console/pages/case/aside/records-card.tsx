import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import type { Case, CaseRecordGroup } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useMay } from '../../../api/signed-in.js';
import { keys } from '../../../api/keys.js';
import { Button, IconButton } from '../../../ui/form/button.js';
import { Card } from '../../../ui/card.js';
import { countWords } from '../../../ui/words/figures.js';
import { useCaseWork } from '../../cases/cases-data.js';
import { RecordDialog } from '../../records/table/record-dialog.js';
import { AddLine } from '../add-line.js';

const MOST = 500;
const VALUES = 4;

/** The records of the case by type; each opens with all of its values. */
export function RecordsCard({ one }: { one: Case }) {
  const { case_id: id, updated_at: at, records_meta: meta } = one;
  const mayChange = useMay('write', one.team.id);
  const [wantsAll, setWantsAll] = useState(false);
  const [open, setOpen] = useState<number>();
  const work = useCaseWork();
  const all = useQuery({
    queryKey: keys.case(id).records(at),
    queryFn: async () => (await api.cases.records.list({ id, per_page: MOST })).records,
    enabled: wantsAll,
  });
  const groups = all.data ?? one.records;
  return (
    <Card title="Records" aside={meta.count > 0 && <span className="faint">{countWords(meta.count)}</span>}>
      {groups.length === 0 && <p className="case-none faint">No records yet.</p>}
      {groups.map((group) => (
        <RecordGroup
          key={group.record_type_id}
          group={group}
          onOpen={setOpen}
          {...(mayChange && {
            onRemove: (record) => work.mutate(() => api.cases.records.delete({ id, record_id: record })),
          })}
        />
      ))}
      {!wantsAll && meta.pages > 1 && (
        <div className="case-none">
          <Button onClick={() => setWantsAll(true)}>Show all {countWords(meta.count)}</Button>
        </div>
      )}
      {wantsAll && meta.count > MOST && (
        <p className="case-none faint">The first {countWords(MOST)} are shown.</p>
      )}
      {mayChange && (
        <AddLine
          fields={[{ name: 'record', label: 'Record number', type: 'number' }]}
          verb="Add record"
          isBusy={work.isPending}
          onAdd={({ record }, onSuccess) =>
            work.mutate(() => api.cases.records.create({ id, record_id: Number(record) }), { onSuccess })
          }
        />
      )}
      {open !== undefined && <RecordDialog id={open} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

interface RecordGroupProps {
  group: CaseRecordGroup;
  onOpen: (id: number) => void;
  /** Absent for those who may not change the case. */
  onRemove?: (id: number) => void;
}

function RecordGroup({ group, onOpen, onRemove }: RecordGroupProps) {
  const { record_type_name: name, record_type_record_results: records } = group;
  return (
    <>
      <h3 className="case-none wrap">{name}</h3>
      <ul>
        {records.map(({ id, results }) => {
          const words = results
            .flatMap(({ value }) => (value === null || value === '' ? [] : [value.slice(0, 100)]))
            .slice(-VALUES)
            .join(' · ');
          return (
            <li key={id} className="row case-item">
              <button type="button" className="grow cut case-record" title={words} onClick={() => onOpen(id)}>
                <span className="case-record-id">{id}</span> <bdi>{words}</bdi>
              </button>
              {onRemove && (
                <IconButton label={`Remove record ${id}`} onClick={() => onRemove(id)}>
                  <X />
                </IconButton>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
