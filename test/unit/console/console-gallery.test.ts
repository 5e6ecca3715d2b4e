import {
  foundIn,
  type GalleryStory,
  isCalled,
  readGalleryStory,
} from '../../../src/console/pages/gallery/gallery-story.js';
import { pictureOf } from '../../../src/console/pages/gallery/picture/picture.js';
import { firstEvent, lackedBy, sampleFault } from '../../../src/console/pages/gallery/sample/sample-input.js';

const story = {
  name: 'Alert triage',
  description: 'Scores alerts',
  tags: ['security'],
  agents: [
    { name: 'Hook', type: 'Agents::WebhookAgent', guid: 'a', schedule: null },
    { name: 'Ask', type: 'Agents::HTTPRequestAgent', guid: 'b', schedule: null },
    { name: 'Nowhere', type: 'Agents::TriggerAgent', guid: 'c', schedule: null },
  ],
  links: [
    { source: 0, receiver: 1, link_type: 'failure' },
    { source: 1, receiver: 2 },
  ],
  diagram_layout: '{"a":[0,0],"b":[240,120]}',
  diagram_notes: [{ content: 'A note\nof two lines', position: [-330, 0] as [number, number] }],
};
const files = {
  'story.json': JSON.stringify(story),
  'event.json': '{"n": 1}\n',
  'answers.json': '[{"url": "*"}]',
  'values.json': '{"resources": {"host_list": ["a"]}, "credentials": {"token": "x"}}',
  'about.json': '{"needs": {"host_list": "the hosts", "token": "its token"}}',
};
const ready = readGalleryStory('alert-triage', files);

test('a folder becomes a story with what it needs', () => {
  expect(ready).toEqual<GalleryStory>({
    slug: 'alert-triage',
    text: files['story.json'],
    story,
    event: '{"n": 1}',
    answers: [{ url: '*' }],
    needs: [
      { kind: 'resource', name: 'host_list', means: 'the hosts', sample: ['a'] },
      { kind: 'credential', name: 'token', means: 'its token', sample: 'x' },
    ],
  });
  expect(isCalled(ready)).toBe(true);
  expect(() => readGalleryStory('other', { 'story.json': '{}' })).toThrow('other lacks values.json');
});

test.each([
  [{ search: '', tag: '' }, 1],
  [{ search: ' SCORES ', tag: '' }, 1],
  [{ search: 'triage', tag: 'security' }, 1],
  [{ search: 'phishing', tag: '' }, 0],
  [{ search: '', tag: 'it' }, 0],
])('%j finds %d', (filters, count) => expect(foundIn([ready], filters)).toHaveLength(count));

test('the picture has what has a place: links from edge to edge, and room for all of it', () => {
  const { actions, links, notes, frame } = pictureOf(story);
  expect(actions.map(({ x, y, kind }) => [x, y, kind])).toEqual([
    [0, 0, 'webhook'],
    [240, 120, 'httprequest'],
  ]);
  expect(links).toEqual([{ path: 'M104 52V86H344V120', kind: 'failure' }]);
  expect(notes).toEqual([{ x: -330, y: 0, width: 240, height: 58 }]);
  expect(frame).toEqual({ x: -350, y: -20, width: 818, height: 212 });
});

test('the body of a webhook goes as the text that it is; a schedule begins with nothing', () => {
  expect(firstEvent('{"n": 12345678901234567890}', true)).toBe('{"body":{"n": 12345678901234567890}}');
  expect(firstEvent('{}', false)).toBe('{}');
  expect(sampleFault('{"n": 1}')).toBeUndefined();
  expect(sampleFault('{"n": ')).toEqual(expect.any(String));
});

test('a team lacks what has neither the name nor the slug, of its kind', () => {
  const named = { name: 'Host list', slug: 'host_list' };
  expect(lackedBy(ready.needs, { resource: [named], credential: [] }).map(({ name }) => name)).toEqual([
    'token',
  ]);
  expect(lackedBy(ready.needs, { resource: [], credential: [named] })).toHaveLength(2);
});
