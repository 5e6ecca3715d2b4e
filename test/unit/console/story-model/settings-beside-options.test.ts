import {
  optionsWithRecord,
  setShownOption,
} from '../../../../src/console/story-model/settings-beside-options.js';
import { fromGraph } from '../../../../src/console/story-model/graph-draft.js';
import { action, after, GRAPH } from './drafts.js';

const RECORD = action(2, 'Write', {
  type: 'Agents::RecordAgent',
  options: { mode: 'create' },
  record_type: { name: 'Alert', record_fields: [] },
  record_writers: [{ formula: '=receive.a', record_field: { name: 'Host' } }],
});
const [first, , last] = GRAPH.agents;
const DRAFT = fromGraph({ ...GRAPH, agents: [first, RECORD, last] });

describe('record settings beside the options', () => {
  it('are shown with the options, unless these have their own', () => {
    expect(optionsWithRecord(RECORD)).toEqual({
      record_type: RECORD['record_type'],
      record_writers: RECORD['record_writers'],
      mode: 'create',
    });
    const own = { ...RECORD, options: { mode: 'create', record_type: { name: 'Own' } } };
    expect(optionsWithRecord(own)['record_type']).toEqual({ name: 'Own' });
    const other = { ...RECORD, type: 'Agents::TriggerAgent' };
    expect(optionsWithRecord(other)).toBe(other.options);
  });

  it('are changed where they stand', () => {
    const path = ['record_writers', 0, 'record_field', 'name'];
    const changed = after(DRAFT, setShownOption('guid-2', RECORD, path, 'Severity')).actions.get('guid-2')!;
    expect(changed['record_writers']).toEqual([
      { formula: '=receive.a', record_field: { name: 'Severity' } },
    ]);
    expect(changed.options).toEqual(RECORD.options);
    const mode = after(DRAFT, setShownOption('guid-2', RECORD, ['mode'], 'x')).actions.get('guid-2')!;
    expect([mode.options, mode['record_type']]).toEqual([{ mode: 'x' }, RECORD['record_type']]);
  });

  it('are one step while a text is typed, and go away as a whole', () => {
    const type = (value: string) =>
      setShownOption('guid-2', RECORD, ['record_writers', 0, 'formula'], value)(DRAFT).group;
    expect(type('a')).toBe(type('b'));
    expect(type('a')).toBeDefined();
    const gone = after(DRAFT, setShownOption('guid-2', RECORD, ['record_type'], undefined));
    expect(gone.actions.get('guid-2')).not.toHaveProperty('record_type');
  });
});
