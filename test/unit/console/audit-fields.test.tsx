import { render, screen } from '@testing-library/react';
import { ChangedFields } from '../../../src/console/pages/audit/changed-fields.js';
import { changesLine } from '../../../src/console/pages/audit/audit-field-words.js';

const CHANGES = [
  { field: 'priority', before: false, after: true, hidden: false },
  { field: 'owner', before: null, after: 'Night shift', hidden: false },
  { field: 'runbook', before: null, after: null, hidden: true },
];

describe('the changed fields of an entry of the audit log', () => {
  it('stand in a table with both values; those that may be secrets have none', () => {
    render(<ChangedFields changes={CHANGES} />);
    expect(screen.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'FieldBeforeAfter',
      'prioritynoyes',
      'owner–Night shift',
      'runbookchanged',
    ]);
  });

  it('are nothing where none are recorded, and said to be none where none differ', () => {
    const { container } = render(<ChangedFields changes={null} />);
    expect(container.textContent).toBe('');
    render(<ChangedFields changes={[]} />);
    screen.getByText('No field was changed.');
  });

  it('are two of them in a row, and how many more there are', () => {
    expect(changesLine(CHANGES)).toBe('priority: no → yes, owner: – → Night shift and 1 more');
    expect(changesLine(CHANGES.slice(2))).toBe('runbook');
    expect(changesLine([])).toBe('');
    expect(changesLine(null)).toBe('');
  });
});
