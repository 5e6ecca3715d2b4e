import type { RenamePreview } from '../../../../clients/typescript/api.js';
import { renameAsFound } from '../../../../src/console/pages/editor/action/rename-data.js';
import { setOption } from '../../../../src/console/story-model/commands/action-commands.js';
import { after, DRAFT } from '../story-model/drafts.js';

describe('a rename with the references that were found', () => {
  it('keeps what has changed since they were looked up', () => {
    const preview = {
      count: 2,
      agents: [
        { index: 1, guid: 'guid-2', name: 'Query', options: { payload: { text: '{{ .Ask }}' } } },
        { index: 2, guid: 'guid-3', name: 'Send', options: { payload: { text: '{{ .Query }}' } } },
      ],
      notes: [],
    } as unknown as RenamePreview;
    const now = after(DRAFT, setOption('guid-3', ['cc'], 'theirs'));
    const { actions } = after(now, renameAsFound('guid-2', 'Query', { draft: DRAFT, preview }));
    expect(actions.get('guid-2')?.name).toBe('Query');
    expect(actions.get('guid-3')?.options).toEqual({ payload: { text: '{{ .Query }}' }, cc: 'theirs' });
  });
});
