import { spawn } from 'node:child_process';

const TAIL_CHARACTERS = 4_000;

/** A tool that could not be run, failed or took too long; the message holds the end of its output. */
export class ToolFailed extends Error {
  readonly output: string;

  constructor(message: string, output: string) {
    super(output === '' ? message : `${message}:\n${output}`);
    this.output = output;
  }
}

export interface ToolOptions {
  timeoutMs: number;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** The user of the process; by default the caller's. */
  uid?: number;
  gid?: number;
  /** The name that the program sees as its own (`argv[0]`). */
  runAs?: string;
}

/**
 * Runs a tool to its end and returns its standard output.
 * @throws ToolFailed if it is missing, exits with another code than 0, or runs longer than `timeoutMs`.
 */
export function runTool(command: string, args: string[], options: ToolOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    let tail = '';
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      ...(options.uid !== undefined && { uid: options.uid }),
      ...(options.gid !== undefined && { gid: options.gid }),
      argv0: options.runAs,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
    });
    const keep = (chunk: Buffer): void => {
      tail = (tail + chunk.toString()).slice(-TAIL_CHARACTERS);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      keep(chunk);
    });
    child.stderr.on('data', keep);
    child.on('error', (error) => reject(new ToolFailed(`Cannot run ${command}: ${error.message}`, '')));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else
        reject(
          new ToolFailed(`${[command, ...args].join(' ')} ${endOf(code, signal, options)}`, tail.trim()),
        );
    });
  });
}

function endOf(code: number | null, signal: string | null, options: ToolOptions): string {
  if (signal === 'SIGKILL') return `was stopped (limit ${Math.round(options.timeoutMs / 1000)} s)`;
  return `ended with ${signal ?? `code ${code}`}`;
}
