import { openingMiddle, openingTop, openingZoom } from '../../../src/console/canvas/opening.js';

const at = (x: number, rest: object = {}) => ({ position: { x, y: 0 }, type: 'action', width: 208, ...rest });
const low = (y: number) => ({ position: { x: 0, y }, type: 'action' });
const note = (x: number) => at(x, { type: 'note', width: 240 });

describe('the middle of the view in which a story opens', () => {
  it('is that of the whole story, its notes too, where it has the room', () => {
    expect(openingMiddle([at(0), at(400), note(-300)], at(400), 1000)).toBe((-300 + 608) / 2);
  });

  it('is that of the actions where the notes have no room', () => {
    expect(openingMiddle([at(0), at(400), note(-300)], at(400), 700)).toBe(304);
  });

  it('is that of the entry in a wider story, and its left edge stays in a view that is narrower than it', () => {
    expect(openingMiddle([at(0), at(400)], at(400), 600)).toBe(504);
    expect(openingMiddle([at(0), at(400)], at(400), 100)).toBe(450);
    expect(openingMiddle([], at(400), 600)).toBe(504);
  });
});

describe('what stands near the upper edge when a story opens', () => {
  it('is the top of the story while the entry is in sight', () => {
    expect(
      openingTop([low(0), low(120), low(900), { ...note(0), position: { x: 0, y: -500 } }], low(120), 800),
    ).toBe(0);
  });

  it('is the entry further down', () => {
    expect(openingTop([low(0), low(900)], low(900), 800)).toBe(900);
    expect(openingTop([], low(900), 800)).toBe(900);
  });
});

describe('the zoom at which a story opens', () => {
  const view = { width: 1000, height: 800 };
  const tall = { position: { x: 0, y: 3000 }, type: 'action' };

  it('is the usual one for a story that fits', () => {
    expect(openingZoom([at(0), at(400), note(-3000)], view)).toBe(0.85);
    expect(openingZoom([], view)).toBe(0.85);
  });

  it('is smaller for a wide story, so that all of it is seen while its names can be read', () => {
    const zoom = openingZoom([at(0), at(1100)], view);
    expect(zoom).toBeCloseTo(1000 / (1308 + 48), 5);
    expect(openingZoom([at(0), at(1100), tall], view)).toBe(zoom);
    expect(openingZoom([at(0), low(900)], view)).toBeCloseTo(710 / (952 + 24), 5);
  });

  it('is the usual one for a story whose names could not be read', () => {
    expect(openingZoom([at(0), at(1500)], view)).toBe(0.85);
  });
});
