import { openingMiddle, openingTop } from '../../../src/console/canvas/opening.js';

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
