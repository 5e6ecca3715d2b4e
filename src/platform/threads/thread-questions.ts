import { type Portable, unpack } from '../json/portable-values.js';

/** The answer to a question of a thread. */
export interface PackedAnswer {
  answerTo: number;
  answer: Portable;
}

/** The questions of a thread that wait for their answers. A task that asks has few at once: it waits for each. */
export function createThreadQuestions(send: (id: number, question: unknown) => void) {
  const waiting = new Map<number, (answer: unknown) => void>();
  let lastId = 0;
  return {
    /** Sends a question; returns its answer. */
    ask: (question: unknown): Promise<unknown> =>
      new Promise((resolve) => {
        lastId += 1;
        waiting.set(lastId, resolve);
        send(lastId, question);
      }),
    /** Gives the answer to the one who asked. */
    answer({ answerTo, answer }: PackedAnswer): void {
      waiting.get(answerTo)?.(unpack(answer));
      waiting.delete(answerTo);
    },
  };
}
