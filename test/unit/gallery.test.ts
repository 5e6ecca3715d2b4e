import { checkStoryText } from '../../src/stories/check/check-task.js';
import type { StoryExport } from '../../src/stories/export/export-form.js';
import { type GalleryFolder, galleryFolders } from '../support/gallery.js';
import { requestOf } from '../support/try-golden.js';

/** The size of an action on the canvas of the console, and the width of a note. */
const ACTION = { width: 208, height: 52 };
const NOTE_WIDTH = 240;
/** Room that a line of a note takes, and the characters that fit one. */
const LINE = { height: 18, characters: 34 };
const GRID = 15;
/** Longer names are cut on the canvas. */
const NAME_CHARACTERS = 20;
/** Names that nobody can register (RFC 2606), or a part of the pattern of a response. */
const EXAMPLE_HOST = /^(?:[\w-]+\.)*(?:example\.com|example)$/;

interface Box {
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Note {
  content: string;
  position: [number, number];
}

const stories = galleryFolders();

test('there are thirty', () => expect(stories).toHaveLength(30));

describe.each(stories)('%s', (slug, folder) => {
  const check = checkStoryText(folder.text);

  test('names its folder', () => expect(requestOf(folder.text).data['gallery_slug']).toBe(slug));

  test('is imported without a finding', () => {
    expect(check.refusals).toEqual([]);
    const { actions = [], sub_stories: called = [] } = check.story ?? {};
    for (const { name, state, findings } of [...actions, ...called.flatMap((story) => story.actions)]) {
      expect([name, state, findings]).toEqual([name, 'runs', []]);
    }
    expect(check.ok).toBe(true);
  });

  test('has a sample and a meaning for each value that it needs, and no others', () => {
    const { credentials, resources, stories: missing } = check.needs;
    const named = [...credentials, ...resources].toSorted();
    const samples = [...Object.keys(folder.values.credentials), ...Object.keys(folder.values.resources)];
    expect(samples.toSorted()).toEqual(named);
    expect(Object.keys(folder.needs).toSorted()).toEqual([...new Set(named)]);
    expect(missing).toEqual([]);
  });

  test('names example hosts alone, and no secret', () => {
    const all = textsIn({ ...folder, text: '', story: JSON.parse(folder.text) }).replaceAll('\\', '');
    const hosts = [...all.matchAll(/https?:\/\/([\w.-]*\w)/g), ...all.matchAll(/@([\w-]+(?:\.[\w-]+)+)/g)];
    expect(hosts.map(([, host = '']) => host).filter((host) => !EXAMPLE_HOST.test(host))).toEqual([]);
    expect(folder.text).not.toContain('"secret"');
  });

  test.each(storiesIn(folder))('%s is tidy on the canvas', (_name, story) => {
    const boxes = boxesOf(story);
    expect(boxes.map(({ x, y }) => [x % GRID, y % GRID]).filter(([x, y]) => x !== 0 || y !== 0)).toEqual([]);
    expect(pairsOf(boxes).filter(areTooClose)).toEqual([]);
    expect(boxes.length).toBeGreaterThan(story.agents.length);
    expect(story.agents.filter(({ name }) => name.length > NAME_CHARACTERS)).toEqual([]);
  });
});

/** All texts in a value, a line each. */
function textsIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(textsIn).join('\n');
}

function storiesIn({ text }: GalleryFolder): [string, StoryExport][] {
  const { data } = requestOf(text);
  const called = (data['send_to_stories'] ?? []) as StoryExport[];
  return [data, ...called].map((story) => [story.name, story]);
}

function boxesOf(story: StoryExport): Box[] {
  const places = JSON.parse(story['diagram_layout'] as string) as Record<string, [number, number]>;
  const actions = story.agents.map(({ name, guid }) => {
    const [x, y] = places[guid as string] ?? [Number.NaN, Number.NaN];
    return { name, x, y, ...ACTION };
  });
  return [...actions, ...((story['diagram_notes'] ?? []) as unknown as Note[]).map(noteBox)];
}

function noteBox({ content, position: [x, y] }: Note): Box {
  const lines = content.split('\n').map((line) => Math.max(1, Math.ceil(line.length / LINE.characters)));
  const height = 22 + LINE.height * lines.reduce((sum, count) => sum + count, 0);
  return { name: content, x, y, width: NOTE_WIDTH, height };
}

const pairsOf = (boxes: Box[]): [Box, Box][] =>
  boxes.flatMap((box, index) => boxes.slice(index + 1).map((other): [Box, Box] => [box, other]));

const isApart = (from: number, size: number, to: number, toSize: number) =>
  from + size + GRID <= to || to + toSize + GRID <= from;

function areTooClose([one, other]: [Box, Box]): boolean {
  return !(
    isApart(one.x, one.width, other.x, other.width) || isApart(one.y, one.height, other.y, other.height)
  );
}
