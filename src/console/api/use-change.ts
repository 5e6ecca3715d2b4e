import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Kind, ofKind } from './keys.js';

interface ChangeOptions<Answer> {
  /** The message to the person once it has succeeded. */
  did?: string;
  /** Kinds of responses to ask for again. */
  old: readonly Kind[];
  /** Is called when it has succeeded. */
  onDone?: (answer: Answer) => void;
}

/** Returns a change that a person makes. A failure is shown by itself. */
export function useChange<Given, Answer>(
  work: (given: Given) => Promise<Answer>,
  { did, old, onDone }: ChangeOptions<Answer>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: work,
    ...(did !== undefined && { meta: { did } }),
    onSuccess: (answer) => onDone?.(answer),
    onSettled: () => Promise.all(old.map((kind) => client.invalidateQueries({ queryKey: ofKind(kind) }))),
  });
}
