import { useQueryClient } from '@tanstack/react-query';
import { type Kind, ofKind } from './keys.js';
import { useMutation } from './use-mutation.js';

interface ChangeOptions<Response> {
  /** The message to the person once it has succeeded. */
  did?: string;
  /** Kinds of responses to ask for again. */
  old: readonly Kind[];
  /** Is called when it has succeeded. */
  onDone?: (response: Response) => void;
  /** Whether several may be under way, as of a search that is typed. */
  isParallel?: boolean;
}

/** Returns a change that a person makes. A failure is shown by itself. */
export function useChange<Given, Response>(
  work: (given: Given) => Promise<Response>,
  { did, old, onDone, isParallel }: ChangeOptions<Response>,
) {
  const client = useQueryClient();
  return useMutation(
    {
      mutationFn: work,
      ...(did !== undefined && { meta: { did } }),
      onSuccess: (response) => onDone?.(response),
      onSettled: () => Promise.all(old.map((kind) => client.invalidateQueries({ queryKey: ofKind(kind) }))),
    },
    isParallel,
  );
}
