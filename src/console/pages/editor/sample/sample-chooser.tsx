import type { Run } from '../../../../../clients/typescript/api.js';
import { isolated } from '../../../text/isolated.js';
import { Select } from '../../../ui/form/field.js';
import { sinceWords } from '../../../ui/words/since.js';
import { useNow } from '../../../ui/words/use-now.js';
import { useEditorPlace } from '../editor-address.js';
import { useEditor } from '../editor-context.js';
import { readSample, type SampleSource, writeSample } from './sample-source.js';
import { useSavedPayloads } from './saved-payloads.js';
import { useEarlierRun, useSampleRuns } from './shown-sample.js';
import styles from '../editor.module.css';

/** Names the sample whose values are shown, with its age, and changes it. */
export function SampleChooser() {
  const { storyId } = useEditor();
  const [place, go] = useEditorPlace(storyId);
  const now = useNow();
  const listed = useSampleRuns().data;
  const runs = listed ?? [];
  const saved = useSavedPayloads().data ?? [];
  const source = readSample(place.sample);
  const chosen = source === undefined ? '' : writeSample(source);
  const isListed =
    (source?.kind === 'run' && runs.some(({ guid }) => guid === source.guid)) ||
    (source?.kind === 'saved' && saved.some(({ name }) => name === source.name));
  const earlier = useEarlierRun(
    listed !== undefined && source?.kind === 'run' && !isListed ? source.guid : undefined,
  );
  return (
    <label className={styles['sample']}>
      <span className="faint">Sample</span>
      <Select
        value={chosen}
        onChange={({ target }) => go({ sample: target.value === '' ? undefined : target.value })}
      >
        <option value="">{newestWords(runs[0], now)}</option>
        {runs.map(({ guid, status, created_at: at }) => (
          <option key={guid} value={writeSample({ kind: 'run', guid })}>
            {runWords({ at: Date.parse(at), status }, now)}
          </option>
        ))}
        {saved.map(({ name }) => (
          <option key={name} value={writeSample({ kind: 'saved', name })}>
            {isolated(name)}
          </option>
        ))}
        {source !== undefined && !isListed && (
          <option value={chosen}>{otherWords(source, earlier, now)}</option>
        )}
      </Select>
    </label>
  );
}

/** `earlier`: the run, null if it is gone. */
function otherWords(source: SampleSource, earlier: Run | null | undefined, now: number): string {
  if (source.kind === 'event') return `Event ${source.id}`;
  if (source.kind === 'saved') return `${isolated(source.name)}: not in this browser`;
  if (earlier === null) return 'A run that was deleted: choose another';
  if (earlier === undefined) return 'An earlier run';
  return runWords({ at: Date.parse(earlier.created_at), status: earlier.status }, now);
}

/** `Run 5 min ago, failed`. */
function runWords({ at, status }: { at: number; status: string }, now: number): string {
  return `Run ${sinceWords(at, now)}, ${status}`;
}

function newestWords(newest: Run | undefined, now: number): string {
  return newest === undefined
    ? 'No run yet'
    : `Newest run, ${sinceWords(Date.parse(newest.created_at), now)}`;
}
