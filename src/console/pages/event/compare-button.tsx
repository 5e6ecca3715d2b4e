import { GitCompare, History } from 'lucide-react';
import { useLocation } from 'wouter';
import { api } from '../../api/console-api.js';
import { useMutation } from '../../api/use-mutation.js';
import { useKeys } from '../../keys/use-keys.js';
import { Button } from '../../ui/form/button.js';
import { say } from '../../ui/overlay/toasts.js';
import { comparePath } from './compare-path.js';

interface CompareButtonProps {
  id: number;
  actionId: number;
  storyId: number;
}

/** Leads to the events of the same action, of which one is chosen to be compared with this one. */
export function CompareButton({ id, actionId, storyId }: CompareButtonProps) {
  const [, go] = useLocation();
  return (
    <Button onClick={() => go(`/events?story=${storyId}&action=${actionId}&compare=${id}`)}>
      <GitCompare aria-hidden="true" /> Compare…
    </Button>
  );
}

/** Compares an event with the one that its action emitted before. */
export function ComparePreviousButton({ id, actionId, storyId }: CompareButtonProps) {
  const [, go] = useLocation();
  const finding = useMutation({
    mutationFn: () =>
      api.events.list({ story_id: storyId, action_id: actionId, until_id: id - 1, per_page: 1 }),
    onSuccess: ({ events: [previous] }) =>
      previous === undefined
        ? say('This is the first event of its action that is kept.')
        : go(comparePath(previous.id, id)),
  });
  const compare = () => !finding.isPending && finding.mutate();
  useKeys('page', { c: compare });
  return (
    <Button disabled={finding.isPending} onClick={compare}>
      <History aria-hidden="true" /> Compare with previous of this action
    </Button>
  );
}
