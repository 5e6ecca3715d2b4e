import { useMutation, useQueryClient } from '@tanstack/react-query';

interface ChangeOptions<Answer> {
  /** The message to the person once it has succeeded. */
  did?: string;
  /** First keys of the queries whose answers are asked for again. */
  old: readonly string[];
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
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey: [first] }) => old.includes(String(first)) }),
  });
}
