import type { FollowChanges, SourceChange } from './processes/live-restart.js';
import { runStart } from './start.js';

/** `bin/dev.mjs` compiles, and sends a message after each change. */
const follow: FollowChanges = (onChange) => {
  const listener = (message: unknown): void => onChange(message as SourceChange);
  process.on('message', listener);
  return () => void process.off('message', listener);
};

/** `npm run dev`: what `npm start` runs, with a restart of web and worker after each change. */
export async function runDev(): Promise<void> {
  process.exitCode = await runStart({ follow });
  if (process.connected) process.disconnect();
}
