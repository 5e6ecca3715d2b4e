import { render, screen } from '@testing-library/react';
import type { StoryCheck } from '../../../clients/typescript/api.js';
import { CheckReport } from '../../../src/console/pages/stories/import/check-report.js';

const finding = (level: string) => ({ level, message: `a ${level}`, option: null, line: null });
const check = {
  ok: false,
  refusals: [],
  warnings: [],
  needs: { credentials: [], resources: [], stories: [] },
  story: {
    links: 1,
    actions: [
      { name: 'First', state: 'runs', findings: [finding('hint'), finding('error')] },
      { name: 'Second', state: 'runs', findings: [finding('warning'), finding('error')] },
    ],
  },
} as unknown as StoryCheck;

describe('the report of a check', () => {
  it('has the worst findings first, each with its action', () => {
    render(<CheckReport check={check} />);
    const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(lines).toEqual([
      'error a error First',
      'error a error Second',
      'warning a warning Second',
      'hint a hint First',
    ]);
  });
});
