import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Kind } from '../../../api/keys.js';
import { ofKind } from '../../../api/keys.js';
import { useMutation } from '../../../api/use-mutation.js';
import { isolated } from '../../../text/isolated.js';
import { say } from '../../../ui/overlay/toasts.js';

/** Enables and disables a thing. */
export interface Enabling {
  /** Whether the question is open that comes before it is disabled. */
  isAsked: boolean;
  isBusy: boolean;
  /** Enables it at once, or asks before it is disabled. */
  onSwitch: (disabled: boolean) => void;
  onClose: () => void;
  onYes: () => void;
}

/**
 * Returns what enables and disables a story or an action by `set`. Disabling is asked first, and its message undoes it. `old`:
 * the kinds of responses to ask for again.
 */
export function useEnabling({
  name,
  set,
  old,
}: {
  name: string;
  set: (disabled: boolean) => Promise<unknown>;
  old: readonly Kind[];
}): Enabling {
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  // The undo of a message may come while lists are still read again.
  const switching = useMutation(
    {
      mutationFn: set,
      onSuccess: (_response, disabled) => {
        setAsked(false);
        if (!disabled) return say(`${isolated(name)} is enabled.`);
        say(`${isolated(name)} is disabled.`, 'ok', { name: 'Undo', onDo: () => switching.mutate(false) });
      },
      onSettled: () => Promise.all(old.map((kind) => client.invalidateQueries({ queryKey: ofKind(kind) }))),
    },
    true,
  );
  return {
    isAsked,
    isBusy: switching.isPending,
    onSwitch: (disabled) => (disabled ? setAsked(true) : switching.mutate(false)),
    onClose: () => setAsked(false),
    onYes: () => switching.mutate(true),
  };
}
