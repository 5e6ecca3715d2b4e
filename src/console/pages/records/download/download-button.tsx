import { Download, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { RecordField, RecordType } from '../../../../../clients/typescript/api.js';
import { sentencesOf } from '../../../text/problems.js';
import { Button } from '../../../ui/form/button.js';
import { countWords, nounWords } from '../../../ui/words/figures.js';
import { say } from '../../../ui/overlay/toasts.js';
import { fileNameOf } from '../../stories/file-name.js';
import { saveFile } from '../../stories/save-file.js';
import type { RecordQuery } from '../query/record-query.js';
import { readMany, shownFields } from '../records-data.js';
import { isoOfRecord, isoWithOffset } from '../query/local-time.js';
import { csvOf } from './csv.js';
import { useMutation } from '../../../api/use-mutation.js';

/** The server answers 100 lists of records a minute; this is half of that. */
const MOST = 25_000;

/** Saves the records of the list, in its order and with its columns, as CSV. It says so when there are too many. */
export function DownloadButton({ type, query }: { type: RecordType; query: RecordQuery }) {
  const [progress, setProgress] = useState(0);
  const ending = useRef<AbortController>(undefined);
  const download = useMutation({
    mutationFn: async () => {
      ending.current = new AbortController();
      setProgress(0);
      return save(type, query, ending.current.signal, setProgress);
    },
    meta: { quiet: true },
    onError: (error) => {
      if (ending.current?.signal.aborted !== true) say(sentencesOf(error).join(' '), 'bad');
    },
  });
  if (download.isPending) {
    return (
      <Button onClick={() => ending.current?.abort()}>
        <X aria-hidden="true" /> Stop at {countWords(progress)}
      </Button>
    );
  }
  return (
    <Button title={`Up to ${countWords(MOST)} records`} onClick={() => download.mutate()}>
      <Download aria-hidden="true" /> CSV
    </Button>
  );
}

async function save(
  type: RecordType,
  query: RecordQuery,
  signal: AbortSignal,
  onProgress: (read: number) => void,
) {
  const fields = shownFields(type, query.columns);
  const { records, count } = await readMany(type, query, MOST, { signal, onProgress });
  const head = ['id', ...fields.map(({ name }) => name)];
  const rows = records.map((record) => [
    record.id,
    ...fields.map(({ name, result_type: fieldType }) => cellOf(fieldType, record[name])),
  ]);
  // A mark of byte order tells spreadsheets that the file is UTF-8.
  const name = fileNameOf(type.name, { otherwise: 'records', ending: 'csv' });
  saveFile(name, `\uFEFF${csvOf([head, ...rows])}`, 'text/csv');
  if (count > records.length)
    say(
      `The file has the first ${countWords(records.length)} of ${nounWords(count, 'record')}. Filter the list to see the rest.`,
    );
}

/** A time has its offset in the file: the list shows it in the zone of the person. */
function cellOf(type: RecordField['result_type'], value: unknown): unknown {
  const time = type === 'TIMESTAMP' ? isoOfRecord(value) : undefined;
  return time === undefined ? value : isoWithOffset(time);
}
