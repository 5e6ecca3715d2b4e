import { arrange, type Box } from '../../../../src/console/story-model/commands/arrange-commands.js';
import { keepingPlaces, move } from '../../../../src/console/story-model/commands/selection-commands.js';
import { setFields } from '../../../../src/console/story-model/commands/action-commands.js';
import { after, DRAFT } from './drafts.js';

const BOXES = new Map<string, Box>([
  ['guid-1', { x: 0, y: 0, width: 200, height: 50 }],
  ['guid-2', { x: 90, y: 70, width: 200, height: 50 }],
  ['guid-3', { x: 310, y: 400, width: 200, height: 50 }],
  ['note 5', { x: 500, y: 30, width: 100, height: 80 }],
]);
const placesAfter = (...keys: string[]) => {
  const boxes = new Map([...BOXES].filter(([key]) => keys.includes(key)));
  return (how: Parameters<typeof arrange>[1]) => {
    const { actions, notes } = after(DRAFT, arrange(boxes, how));
    return keys.map((key) => (actions.get(key) ?? notes.get(key))?.position);
  };
};

describe('arranging parts', () => {
  it('lines them up by their left edges, their middles or their top edges', () => {
    const places = placesAfter('guid-1', 'guid-2', 'note 5');
    expect(places('left')).toEqual([
      { x: 0, y: 0 },
      { x: 0, y: 70 },
      { x: 0, y: 30 },
    ]);
    expect(places('centre')).toEqual([
      { x: 200, y: 0 },
      { x: 200, y: 70 },
      { x: 250, y: 30 },
    ]);
    expect(places('top')).toEqual([
      { x: 0, y: 0 },
      { x: 90, y: 0 },
      { x: 500, y: 0 },
    ]);
  });

  it('leaves equal gaps between them, and the outer two where they are', () => {
    expect(placesAfter('guid-1', 'guid-3', 'note 5')('across')).toEqual([
      { x: 0, y: 0 },
      { x: 250, y: 400 },
      { x: 500, y: 30 },
    ]);
    expect(placesAfter('guid-1', 'guid-2', 'guid-3')('down')).toEqual([
      { x: 0, y: 0 },
      { x: 90, y: 200 },
      { x: 310, y: 400 },
    ]);
  });

  it('says what it does, and does nothing with nothing', () => {
    expect(arrange(BOXES, 'left')(DRAFT).label).toBe('Align 3 actions, 1 note to the left');
    expect(arrange(BOXES, 'down')(DRAFT).label).toBe('Distribute 3 actions, 1 note vertically');
    expect(after(DRAFT, arrange(new Map(), 'across'))).toEqual(DRAFT);
  });
});

describe('keeping places', () => {
  it('gives actions without a place that at which they are drawn, in the same step', () => {
    const draft = after(
      DRAFT,
      setFields('guid-1', { position: undefined }),
      setFields('guid-2', { position: null }),
    );
    const command = keepingPlaces(BOXES, move({ actions: new Map([['guid-3', { x: 1, y: 2 }]]) }));
    expect([...command(draft).draft.actions.values()].map(({ position }) => position)).toEqual([
      { x: 0, y: 0 },
      { x: 90, y: 70 },
      { x: 1, y: 2 },
    ]);
    expect(command(draft).label).toBe('Move Send');
    expect(after(DRAFT, command).actions.get('guid-1')).toBe(DRAFT.actions.get('guid-1'));
  });
});
