import { spawn } from 'node:child_process';

/** One run of git. */
export interface GitRun {
  args: readonly string[];
  input?: string | Buffer | undefined;
  /** Most bytes of its output; 1 MiB unless given. */
  mostBytes?: number;
}

/** The place and the limits of all runs for one repository. */
export interface GitProgram {
  /** Path or name of the program. */
  command: string;
  env: Record<string, string>;
  cwd: string;
  /** The longest time of one run. */
  timeoutMs: number;
  /** Ends every run. */
  signal?: AbortSignal | undefined;
}

/** Git is not there, failed, or was ended; the message is what it said, without secrets. */
export class GitFailed extends Error {
  constructor(
    message: string,
    /** undefined: it was ended, or did not begin. */
    readonly code?: number | undefined,
  ) {
    super(message);
  }
}

/** Git or ssh is not installed. */
class GitMissing extends GitFailed {}

/**
 * The shell sets what the system enforces: no core files, 3 GiB of address space and files of 1 GiB, since a small pack can
 * unfold to an object of any size. A system that knows a limit not goes without it.
 */
const LIMITED = 'ulimit -c 0; ulimit -v 3145728 2>/dev/null; ulimit -f 2097152 2>/dev/null; exec "$0" "$@"';
const NOT_FOUND = 127;
const INTERRUPTED = 'the sync was interrupted';
const USUAL_BYTES = 1024 * 1024;
const TAIL_CHARACTERS = 2_000;

/**
 * Runs git to its end, and returns what it wrote. It leads a group of processes of its own, so that its helpers end with it.
 * @throws GitMissing, GitFailed.
 */
export function runGit(
  program: GitProgram,
  { args, input, mostBytes = USUAL_BYTES }: GitRun,
): Promise<Buffer> {
  const { signal, command, env, cwd, timeoutMs } = program;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(new GitFailed(INTERRUPTED));
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    let said = '';
    let reason: Error | undefined;
    const child = spawn('/bin/sh', ['-c', LIMITED, command, ...args], {
      cwd,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const end = (why: Error) => {
      reason ??= why;
      endGroup(child.pid);
    };
    const onAbort = () => end(new GitFailed(INTERRUPTED));
    signal?.addEventListener('abort', onAbort, { once: true });
    const late = () =>
      end(new GitFailed(`git ${args[0]} took longer than ${Math.round(timeoutMs / 1000)} s`));
    const timer = setTimeout(late, timeoutMs);
    const rest = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) end(new GitFailed(`git ${args[0]} wrote more than ${mostBytes} bytes`));
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-TAIL_CHARACTERS);
    });
    // A program that ends early closes its input.
    child.stdin.on('error', () => undefined);
    child.on('error', (error: NodeJS.ErrnoException) => {
      rest();
      reject(new GitFailed(`git could not be started: ${error.code ?? 'no code'}`));
    });
    child.on('close', (code) => {
      rest();
      if (reason !== undefined) reject(reason);
      else if (code === 0) resolve(Buffer.concat(chunks));
      else reject(failureOf(said, code ?? undefined));
    });
    child.stdin.end(input ?? '');
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Lines that tell nothing to a reader. */
const NOISE =
  /^(?:hint:|warning:|Warning: Permanently added|remote: *$|To |Cloning|From |\s*$|@@@|Offending|Add correct|  ssh-keygen|ssh-keygen -f)/;

function failureOf(said: string, code: number | undefined): GitFailed {
  if (code === NOT_FOUND) return new GitMissing('git is not installed on this server');
  if (/cannot run ssh|ssh: (?:command )?not found/.test(said))
    return new GitMissing('ssh is not installed on this server');
  const lines = said.split(/[\n\r]+/).filter((line) => !NOISE.test(line));
  return new GitFailed(lines.slice(-6).join('\n').trim() || `git ended with code ${code ?? 'none'}`, code);
}
