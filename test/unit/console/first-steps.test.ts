import { READY_STORY } from '../../../src/console/pages/home/first-steps/ready-story.js';
import { DEMO_STORY_NAME } from '../../../src/operate/cli/seed/demo-story.js';
import { firstSteps } from '../../../src/console/pages/home/first-steps/first-steps.js';

const nothing = { exists: false, answers: false, wasCalled: false, hasSeen: false };
const ticked = (facts: Partial<typeof nothing>) => {
  const { steps, current } = firstSteps({ ...nothing, ...facts });
  return [steps.map(({ isDone }) => (isDone ? 'x' : '-')).join(''), current];
};

test('each of the first steps is ticked by its own fact, and the first open one is next', () => {
  expect(ticked({})).toEqual(['----', 0]);
  expect(ticked({ exists: true })).toEqual(['x---', 1]);
  expect(ticked({ exists: true, wasCalled: true })).toEqual(['x-x-', 1]);
  expect(ticked({ exists: true, answers: true, wasCalled: true })).toEqual(['xxx-', 3]);
  expect(ticked({ exists: true, answers: true, wasCalled: true, hasSeen: true })).toEqual(['xxxx', -1]);
  expect(ticked({ exists: true, answers: true, hasSeen: true })).toEqual(['xx--', 2]);
  expect(ticked({ answers: true, wasCalled: true, hasSeen: true })).toEqual(['----', 0]);
});

test('the story of the first start is known by its name', () => {
  expect(READY_STORY).toBe(DEMO_STORY_NAME);
});
