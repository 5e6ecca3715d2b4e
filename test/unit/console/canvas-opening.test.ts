import { openingMiddle, openingTop, openingView } from '../../../src/console/canvas/opening.js';

const at = (x: number, rest: object = {}) => ({ position: { x, y: 0 }, type: 'action', width: 208, ...rest });
const low = (y: number) => ({ position: { x: 0, y }, type: 'action' });
const box = (x: number, y: number) => ({ position: { x, y }, type: 'action', width: 208, height: 52 });
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

describe('the view of a whole story', () => {
  it('has all of it in its middle, and does not blow up a small one', () => {
    expect(openingView([box(0, 0)], { width: 1_000, height: 600 })).toEqual({ x: 396, y: 274, zoom: 1 });
  });

  it('is as small as 60 %, where names can still be read', () => {
    const view = openingView([box(0, 0), box(1_292, 0)], { width: 1_000, height: 600 });
    expect(view?.zoom).toBeCloseTo(1_000 / 1_548);
    // Both ends are in it.
    expect(view!.x).toBeGreaterThan(0);
    expect(view!.x + 1_500 * view!.zoom).toBeLessThan(1_000);
  });

  it('has the actions without their notes where both would be too small', () => {
    const alone = openingView([box(0, 0)], { width: 1_000, height: 600 });
    const remote = { ...note(-1_600), position: { x: -1_600, y: 0 } };
    expect(openingView([remote, box(0, 0)], { width: 1_000, height: 600 })).toEqual(alone);
  });

  it('is as small as a map in a survey, whose marks are looked at, and none beyond', () => {
    const phone = { width: 390, height: 600 };
    const wide = [box(0, 0), box(1_200, 0)];
    expect(openingView(wide, phone)).toBeUndefined();
    expect(openingView(wide, phone, true)?.zoom).toBeCloseTo(390 / 1_456);
    expect(openingView([box(0, 0), box(4_000, 0)], phone, true)).toBeUndefined();
  });

  it('is none where names would be too small, and of a story without parts', () => {
    expect(openingView([box(0, 0), box(1_600, 0)], { width: 1_000, height: 600 })).toBeUndefined();
    expect(openingView([box(0, 0), box(0, 1_200)], { width: 1_000, height: 600 })).toBeUndefined();
    expect(openingView([], { width: 1_000, height: 600 })).toBeUndefined();
  });
});
