import type { RenamePreview } from '../../../../clients/typescript/api.js';
import { createRenamer } from '../../../../src/console/pages/editor/action/renamer.js';
import { createEditorStore } from '../../../../src/console/story-model/editor-store.js';
import { GRAPH } from '../story-model/drafts.js';

interface Asked {
  name: string;
  find: (found: Partial<RenamePreview>) => void;
  fail: (error: Error) => void;
}

/** The looks for references, in their order; each is answered by the test. */
const mockAsked: Asked[] = [];

jest.mock('../../../../src/console/api/console-api.js', () => ({
  api: {
    stories: {
      renamePreview: ({ name }: { name: string }) =>
        new Promise<RenamePreview>((done, fail) => {
          const nothing = { count: 1, agents: [], notes: [], places: [], unsure: [], shared: [] };
          mockAsked.push({ name, fail, find: (found) => done({ ...nothing, ...found } as RenamePreview) });
        }),
    },
  },
}));

function open() {
  mockAsked.length = 0;
  const store = createEditorStore({ graph: GRAPH, etag: '"1"' });
  const renamer = createRenamer(store, 12, (command) => store.getState().run(command));
  const nameOf = (key: string) => store.getState().draft.actions.get(key)?.name;
  return { renamer, nameOf };
}
const TO_SEE: Partial<RenamePreview> = { count: 2 };

describe('a rename', () => {
  it('is settled once its references are found, and not before', async () => {
    const { renamer, nameOf } = open();
    void renamer.change('guid-2', 'Query');
    let isSettled: boolean | undefined;
    const settle = async () => {
      isSettled = await renamer.settled();
    };
    const settled = settle();
    await Promise.resolve();
    expect([isSettled, nameOf('guid-2')]).toEqual([undefined, GRAPH.agents[1]?.name]);
    mockAsked[0]?.find({});
    await settled;
    expect([isSettled, nameOf('guid-2')]).toEqual([true, 'Query']);
  });

  it('waits for its answer, and is not settled before', async () => {
    const { renamer, nameOf } = open();
    const changed = renamer.change('guid-2', 'Query');
    mockAsked[0]?.find(TO_SEE);
    await changed;
    expect(renamer.state.getState().question).toMatchObject({ key: 'guid-2', to: 'Query' });
    expect(await renamer.settled()).toBe(false);
    renamer.answer('without references');
    expect(nameOf('guid-2')).toBe('Query');
    expect(await renamer.settled()).toBe(true);
  });

  it('changes nothing if it is given up', async () => {
    const { renamer, nameOf } = open();
    const changed = renamer.change('guid-2', 'Query');
    mockAsked[0]?.find(TO_SEE);
    await changed;
    renamer.answer('not at all');
    expect(nameOf('guid-2')).toBe(GRAPH.agents[1]?.name);
    expect(await renamer.settled()).toBe(true);
  });

  it('comes after the one of another action, and once by Enter and by leaving the field', async () => {
    const { renamer, nameOf } = open();
    void renamer.change('guid-2', 'Query');
    void renamer.change('guid-2', 'Query');
    const second = renamer.change('guid-3', 'Dispatch');
    expect(mockAsked.map(({ name }) => name)).toEqual(['Query']);
    mockAsked[0]?.find({});
    await new Promise((resolve) => setTimeout(resolve));
    expect(mockAsked.map(({ name }) => name)).toEqual(['Query', 'Dispatch']);
    mockAsked[1]?.find({});
    await second;
    expect([nameOf('guid-2'), nameOf('guid-3')]).toEqual(['Query', 'Dispatch']);
  });

  it('says why it failed; a failure that has been seen holds up nobody', async () => {
    const { renamer } = open();
    const changed = renamer.change('guid-2', 'Query');
    const settled = renamer.settled();
    mockAsked[0]?.fail(new Error('The server is away.'));
    await changed;
    expect(await settled).toBe(false);
    expect(renamer.state.getState().fault).toMatchObject({ key: 'guid-2' });
    expect(renamer.state.getState().fault?.sentence).toContain('The server is away.');
    expect(await renamer.settled()).toBe(true);
    await renamer.change('guid-2', '');
    expect(mockAsked).toHaveLength(1);
  });
});
