import {
  type MutateFunction,
  useMutation as useTanstackMutation,
  type UseMutationOptions,
  type UseMutationResult,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useId } from 'react';

/**
 * Returns a mutation as TanStack Query does, except that a call of `mutate` while another one is under way does nothing: the
 * second press of a double click comes before its button is drawn as disabled. `isParallel`: several may be under way.
 */
export function useMutation<Data = unknown, Failure = Error, Variables = void, Context = unknown>(
  options: UseMutationOptions<Data, Failure, Variables, Context>,
  isParallel = false,
): UseMutationResult<Data, Failure, Variables, Context> {
  const id = useId();
  const client = useQueryClient();
  const mutation = useTanstackMutation({
    ...options,
    mutationKey: [id],
    // What is asked for again afterwards comes late while the server is away: a failure is told at once.
    onSettled: (...result) => {
      const settled = options.onSettled?.(...result);
      return result[1] === null ? settled : undefined;
    },
  });
  const { mutate: start } = mutation;
  const mutate = useCallback(
    (...given: Parameters<MutateFunction<Data, Failure, Variables, Context>>) => {
      if (isParallel || client.isMutating({ mutationKey: [id] }) === 0) start(...given);
    },
    [client, id, start, isParallel],
  );
  return { ...mutation, mutate };
}
