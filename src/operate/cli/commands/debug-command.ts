import path from 'node:path';
import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { findStartNote } from '../start/start-record.js';

/** `debug`: web and worker of the `npm start` that runs on `DATA_DIR` log everything for fifteen minutes (docs/operate/logs.md). */
export function addDebugCommand(program: Command, cli: Cli): void {
  program
    .command('debug')
    .description(
      'enable debug logging for fifteen minutes in the web and worker processes of a running "npm start"',
    )
    .action(
      cli.offlineAction(async () => {
        const dataDir = path.resolve(cli.io.env.DATA_DIR || '.data');
        const start = await findStartNote(dataDir);
        if (start === undefined)
          throw new Error(`no "npm start" is running on ${dataDir}; send SIGUSR2 to each process instead`);
        process.kill(start.pid, 'SIGUSR2');
        const logs = path.join(dataDir, 'logs');
        return {
          json: { pid: start.pid, logs },
          text: `Debug logging is on for fifteen minutes. Logs: ${logs}.`,
        };
      }),
    );
}
