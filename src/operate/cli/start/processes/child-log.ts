import type { Readable } from 'node:stream';
import { createLogFile } from '../log-file.js';
import { visibleText } from '../../../../platform/visible-text.js';

const MAX_LINE_CHARACTERS = 64 * 1024;
const SHOWN_CHARACTERS = 500;
const STACK_CHARACTERS = 2_000;
const SHOWN_LINES = 20;
const SHOWN_WINDOW_MS = 10_000;
const SHOWN_LEVEL = /^(?:warn|error)$/;
/** A line of our logger with `LOG_FORMAT=text`: time, level, process, message. */
const READABLE = /^\d{4}-\d\d-\d\dT[\d:.]+Z (\w+) +\[[^\]]*\] (.*)$/;

export interface ChildLogOptions {
  name: string;
  file: string;
  /** Shows a line on the terminal. */
  say: (line: string) => void;
  /** True to show the stack of a logged error too. */
  stacks?: boolean | undefined;
}

/**
 * Copies the output of a child process to its log file. Shows warnings, errors and plain text of its
 * standard error on the terminal, limited to 20 lines in 10 s.
 */
export function createChildLog({ name, file, say, stacks }: ChildLogOptions) {
  const write = createLogFile(file, (error) =>
    say(`[${name}] cannot write the log file; logging resumes once it is writable: ${error.message}`),
  );
  const show = limited(say, file);

  function follow(stream: Readable, showPlain: boolean): void {
    let rest = '';
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      write(chunk);
      const lines = (rest + chunk).split('\n');
      rest = (lines.pop() ?? '').slice(0, MAX_LINE_CHARACTERS);
      for (const line of lines) {
        const worth = worthShowing(line, showPlain);
        const stack = stacks ? stackIn(line) : '';
        if (worth !== undefined) show(`[${name}] ${visibleText(worth)}${stack}`);
      }
    });
    stream.on('error', (error) => show(`[${name}] cannot read the process output: ${error.message}`));
  }

  return {
    /** Reads standard output and standard error of a child that was just started. */
    attach(child: { stdout: Readable | null; stderr: Readable | null }): void {
      if (child.stdout) follow(child.stdout, false);
      if (child.stderr) follow(child.stderr, true);
    },
  };
}

/**
 * Returns the text to show on the terminal for a log line, at most 500 characters: a warning or an error of
 * our logger, or plain text if `showPlain`. Otherwise undefined.
 */
export function worthShowing(line: string, showPlain: boolean): string | undefined {
  if (line.trim() === '') return undefined;
  const entry = line.startsWith('{') ? parsed(line) : undefined;
  const [, level, text] = READABLE.exec(line) ?? [];
  if (level !== undefined)
    return SHOWN_LEVEL.test(level) ? `${level}: ${text}`.slice(0, SHOWN_CHARACTERS) : undefined;
  if (entry === undefined) return showPlain ? line.slice(0, SHOWN_CHARACTERS) : undefined;
  const told = String(entry.level);
  if (!SHOWN_LEVEL.test(told)) return undefined;
  return `${told}: ${String(entry.message)}`.slice(0, SHOWN_CHARACTERS);
}

/** Returns the stack of the error in a log line, on a new line; empty if there is none. */
function stackIn(line: string): string {
  const stack = line.startsWith('{') ? parsed(line)?.error?.stack : undefined;
  return typeof stack === 'string' ? `\n${stack.slice(0, STACK_CHARACTERS)}` : '';
}

interface LogEntry {
  level?: unknown;
  message?: unknown;
  error?: { stack?: unknown } | null;
}

function parsed(line: string): LogEntry | undefined {
  try {
    return JSON.parse(line) as LogEntry;
  } catch {
    // Not JSON, so not an entry of our logger: treat it as plain text.
    return undefined;
  }
}

function limited(say: (line: string) => void, file: string): (line: string) => void {
  let windowEnds = 0;
  let shown = 0;
  return (line) => {
    const now = Date.now();
    if (now > windowEnds) {
      windowEnds = now + SHOWN_WINDOW_MS;
      shown = 0;
    }
    shown += 1;
    if (shown <= SHOWN_LINES) say(line);
    if (shown === SHOWN_LINES) say(`… more lines are in ${file}`);
  };
}
