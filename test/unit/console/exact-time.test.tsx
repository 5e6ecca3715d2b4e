import { render } from '@testing-library/react';
import { ExactTime } from '../../../src/console/pages/run/exact-time.js';

const wordsAt = (ms: number) => render(<ExactTime at={ms} />).container.textContent;

test('has 24 hours, and milliseconds only where they are known', () => {
  const evening = new Date(2026, 10, 26, 21, 27, 13).getTime();
  expect(wordsAt(evening)).toBe('21:27:13');
  expect(wordsAt(evening + 7)).toBe('21:27:13.007');
});
