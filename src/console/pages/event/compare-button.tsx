import { GitCompare } from 'lucide-react';
import { useLocation } from 'wouter';
import { Button } from '../../ui/form/button.js';
import { chooseToCompare, useToCompare } from './to-compare.js';

/** Marks an event to be compared, or compares it with the marked one. */
export function CompareButton({ id }: { id: number }) {
  const marked = useToCompare();
  const [, go] = useLocation();
  if (marked === undefined || marked === id) {
    return (
      <Button
        aria-pressed={marked === id}
        title="Now choose another event"
        onClick={() => chooseToCompare(marked === id ? undefined : id)}
      >
        <GitCompare aria-hidden="true" /> {marked === id ? 'Selected for comparison' : 'Compare'}
      </Button>
    );
  }
  return (
    <Button onClick={() => go(`/events/${marked}/compare/${id}`)}>
      <GitCompare aria-hidden="true" /> Compare with event {marked}
    </Button>
  );
}
