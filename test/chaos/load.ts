import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Farewell, LoadResponse } from './load-response.js';

/** Webhook calls under way at a steady rate. */
export type Load = ReturnType<typeof startLoad>;

/** All calls of a load. */
export interface Ledger {
  responses: Map<number, LoadResponse>;
  heldBack: number;
  seconds: number;
}

/** Starts calling `url`, `ratePerSecond` times a second, until it is stopped. */
export function startLoad(url: string, ratePerSecond: number) {
  const child = fork(path.join(__dirname, 'load-generator.ts'), [url, String(ratePerSecond)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const responses = new Map<number, LoadResponse>();
  let farewell: Farewell | undefined;
  child.on('message', (message: LoadResponse | Farewell) => {
    if ('calls' in message) farewell = message;
    else responses.set(message.number, message);
  });
  const ended = once(child, 'exit');
  return {
    responses,
    accepted: () => [...responses.values()].filter(isAccepted).length,
    /** Makes no more calls, and waits for the responses to those under way. */
    async stop(): Promise<Ledger> {
      child.send('stop');
      await ended;
      if (farewell === undefined) throw new Error('The load generator ended before its time');
      if (responses.size !== farewell.calls)
        throw new Error(`${farewell.calls} calls, but ${responses.size} answers`);
      return { responses, heldBack: farewell.heldBack, seconds: farewell.seconds };
    },
    abort: () => void child.kill('SIGKILL'),
  };
}

/** Only a success counts as accepted (promise 1). */
export function isAccepted({ status }: LoadResponse): boolean {
  return status >= 200 && status < 300;
}
