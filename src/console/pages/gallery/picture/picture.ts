import { NODE, NOTE_WIDTH } from '../../../canvas/nodes/sizes.js';
import type { GalleryExport } from '../gallery-story.js';

/** A rectangle on the canvas. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The small picture of a canvas: where everything is drawn. */
export interface Picture {
  frame: Box;
  actions: (Box & { kind: string })[];
  notes: Box[];
  links: { path: string; kind: 'default' | 'no-match' | 'failure' }[];
}

const LINE = { height: 18, characters: 34 };
const MARGIN = 20;
const KINDS: Record<string, Picture['links'][number]['kind']> = { secondary: 'no-match', failure: 'failure' };

/** Returns the picture of an export that has a layout; actions without a place are left out, with their links. */
export function pictureOf({
  agents,
  links,
  diagram_layout: layout,
  diagram_notes: notes,
}: GalleryExport): Picture {
  const places = JSON.parse(layout) as Record<string, [number, number] | undefined>;
  const boxes = agents.map(({ guid, type }) => {
    const [x, y] = places[guid] ?? [];
    return x === undefined || y === undefined ? undefined : { x, y, ...NODE, kind: kindOf(type) };
  });
  const actions = boxes.filter((box) => box !== undefined);
  const noteBoxes = notes.map(noteBox);
  return {
    frame: frameOf([...actions, ...noteBoxes]),
    actions,
    notes: noteBoxes,
    links: links.flatMap(({ source, receiver, link_type: type = '' }) => {
      const [from, to] = [boxes[source], boxes[receiver]];
      return from && to ? [{ path: pathOf(from, to), kind: KINDS[type] ?? 'default' }] : [];
    }),
  };
}

const kindOf = (type: string) => type.replace(/^Agents::|Agent$/g, '').toLowerCase();

function noteBox({ content, position: [x, y] }: GalleryExport['diagram_notes'][number]): Box {
  const lines = content.split('\n').map((line) => Math.max(1, Math.ceil(line.length / LINE.characters)));
  return { x, y, width: NOTE_WIDTH, height: 22 + LINE.height * lines.reduce((sum, count) => sum + count, 0) };
}

/** From the lower edge of one action down, across, and to the upper edge of the other. */
function pathOf(from: Box, to: Box): string {
  const [x, y] = [from.x + from.width / 2, from.y + from.height];
  const across = (y + to.y) / 2;
  return `M${x} ${y}V${across}H${to.x + to.width / 2}V${to.y}`;
}

function frameOf(boxes: Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x)) - MARGIN;
  const y = Math.min(...boxes.map((box) => box.y)) - MARGIN;
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN;
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN;
  return { x, y, width: right - x, height: bottom - y };
}
