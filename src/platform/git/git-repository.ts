import { type GitDoor, openGitDoor } from './git-door.js';
import type { GitRemote } from './git-remote.js';
import { type GitSecret, makeGitWorkspace } from './git-workspace.js';
import { GitFailed, type GitProgram, type GitRun, runGit } from './run-git.js';
import type { Socket } from 'node:net';

/** A file of a commit, as it is stored: nothing of it is on the disk. */
export interface GitEntry {
  path: string;
  /** `100644`, `100755`: files; `120000`: a symbolic link; `160000`: a submodule. */
  mode: string;
  oid: string;
  /** Bytes; 0 for a submodule. */
  size: number;
}

/** A commit, as its readers see it. */
export interface GitCommit {
  oid: string;
  authorName: string;
  authorEmail: string;
  /** The first line of its message. */
  subject: string;
}

/** A commit to be made. */
export interface NewCommit {
  author: { name: string; email: string; atMs: number };
  message: string;
  /** Files to write, and paths to delete. */
  files: readonly { path: string; text: string }[];
  deleted: readonly string[];
}

/** A push that would have lost commits of others. */
export class PushRejected extends GitFailed {}

export interface GitAccess {
  remote: GitRemote;
  secret: GitSecret;
  hostKeys: readonly string[];
  certificates: readonly string[];
  searchPath: string;
  /** Opens a connection to the host, within the rules of outgoing requests. */
  open(): Promise<Socket>;
  /** Most bytes that may come from the host. */
  mostBytes: number;
  /** The longest time of one command. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** The name of the committer: the program. */
const COMMITTER_EMAIL = 'fabula@localhost';
const COMMITTER = `Fabula <${COMMITTER_EMAIL}>`;
const LIST_BYTES = 16 * 1024 * 1024;

export type GitRepository = ReturnType<typeof repositoryOf>;

/**
 * Runs `work` on a repository in a private folder, which is removed after it.
 * @throws GitMissing, GitFailed; the reason why no connection was made; what `work` throws.
 */
export async function withGitRepository<Result>(
  access: GitAccess,
  work: (repository: GitRepository) => Promise<Result>,
): Promise<Result> {
  const { remote, timeoutMs, signal } = access;
  const door = await openGitDoor({
    authority: remote.protocol === 'https' ? authorityOf(remote) : undefined,
    open: () => access.open(),
    mostBytes: access.mostBytes,
    tooLarge: `the repository sent more than ${access.mostBytes} bytes`,
  });
  try {
    const workspace = await makeGitWorkspace({ ...access, door });
    try {
      const program = { command: 'git', env: workspace.env, cwd: workspace.folder, timeoutMs, signal };
      await runGit(program, {
        args: ['init', '--quiet', '--bare', '--template=', program.env.GIT_DIR ?? ''],
      });
      return await work(repositoryOf(program, { url: workspace.url, shown: remote.url, door }));
    } finally {
      await workspace.remove();
    }
  } finally {
    await door.close();
  }
}

function authorityOf({ host, port }: GitRemote): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function repositoryOf(
  program: GitProgram,
  { url, shown, door }: { url: string; shown: string; door: GitDoor },
) {
  const git = async (run: GitRun): Promise<Buffer> => {
    try {
      return await runGit(program, run);
    } catch (error) {
      // Neither the door nor the private folder means anything to a reader.
      if (error instanceof GitFailed)
        error.message = error.message.replaceAll(url, shown).replaceAll(program.cwd, '');
      throw error;
    }
  };
  /** What the door knows of a failure says more than git. */
  const remotely = async (run: GitRun): Promise<Buffer> => {
    try {
      return await git(run);
    } catch (error) {
      throw door.failure() ?? error;
    }
  };
  const line = async (args: string[]) => (await git({ args })).toString().trim();

  return {
    /** Returns the branches of the host, with their commits. */
    async heads(): Promise<Map<string, string>> {
      const listed = await remotely({ args: ['ls-remote', '--heads', url], mostBytes: LIST_BYTES });
      const rows = listed
        .toString()
        .split('\n')
        .filter((row) => row !== '');
      return new Map(
        rows.map((row) => {
          const [oid = '', ref = ''] = row.split('\t');
          return [ref.replace(/^refs\/heads\//, ''), oid] as const;
        }),
      );
    },

    /** Gets a branch with so many of its newest commits. Returns its commit. */
    async fetch(branch: string, depth: number): Promise<string> {
      const refs = `+refs/heads/${branch}:refs/fabula/base`;
      await remotely({ args: [...FETCH, `--depth=${depth}`, url, refs] });
      return line(['rev-parse', '--verify', 'refs/fabula/base^{commit}']);
    },

    /** Gets the newest commit of another branch, and whether this program has made it. */
    async tip(branch: string): Promise<{ oid: string; isOwn: boolean }> {
      await remotely({ args: [...FETCH, '--depth=1', url, `+refs/heads/${branch}:refs/fabula/tip`] });
      const [oid = '', email] = (await line(['log', '-1', '--format=%H %ce', 'refs/fabula/tip'])).split(' ');
      return { oid, isOwn: email === COMMITTER_EMAIL };
    },

    /** Whether a commit is one of those that were got, and the newer one came from it. */
    async isAncestor(older: string, newer: string): Promise<boolean> {
      try {
        await git({ args: ['merge-base', '--is-ancestor', older, newer] });
        return true;
      } catch (error) {
        if (error instanceof GitFailed && error.code !== undefined) return false;
        throw error;
      }
    },

    /** Returns what a commit has below a folder; an empty one: all. @param most the entries that it may have. */
    async list(commit: string, folder: string, most: number): Promise<GitEntry[]> {
      const below = folder === '' ? [] : ['--', `${folder}/`];
      const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', commit, ...below];
      const rows = (await git({ args, mostBytes: LIST_BYTES })).toString().split('\0');
      const entries = rows.filter((row) => row !== '').map(entryOf);
      if (entries.length > most) throw new GitFailed(`the folder has more than ${most} files`);
      return entries;
    },

    /** Returns the contents of files by their oids. */
    async read(oids: readonly string[], mostBytes: number): Promise<Map<string, Buffer>> {
      if (oids.length === 0) return new Map();
      const input = `${oids.join('\n')}\n`;
      return blobsIn(
        await git({ args: ['cat-file', '--batch'], input, mostBytes: mostBytes + 100 * oids.length }),
      );
    },

    /** Returns the newest commit, among those that were got, that changed one of these paths; the given one if none did. */
    async lastChange(commit: string, paths: readonly string[]): Promise<GitCommit> {
      const format = '--format=%H%x00%an%x00%ae%x00%s';
      const ofPaths = paths.length === 0 ? '' : await line(['log', '-1', format, commit, '--', ...paths]);
      const text = ofPaths === '' ? await line(['log', '-1', format, commit]) : ofPaths;
      const [oid = '', authorName = '', authorEmail = '', subject = ''] = text.split('\0');
      return { oid, authorName, authorEmail, subject };
    },

    /**
     * Makes commits, one on the other, which no branch has yet; returns the oid of the last one.
     * @param parent of the first one; undefined: it is the first of its branch.
     */
    async commit(parent: string | undefined, commits: readonly NewCommit[]): Promise<string> {
      await git({ args: ['fast-import', '--quiet', '--done', '--force'], input: streamOf(parent, commits) });
      return line(['rev-parse', '--verify', 'refs/fabula/new^{commit}']);
    },

    /**
     * Gives the host's branch this commit. `over`: the commit that may be replaced although the new one does not come from it.
     * @throws PushRejected if the branch has other commits.
     */
    async push(commit: string, branch: string, over?: string): Promise<void> {
      const ref = `refs/heads/${branch}`;
      const lease = over === undefined ? [] : [`--force-with-lease=${ref}:${over}`];
      try {
        await git({ args: ['push', '--no-verify', ...lease, url, `${commit}:${ref}`] });
      } catch (error) {
        if (door.failure() !== undefined) throw door.failure();
        // Git has no number for it.
        if (error instanceof GitFailed && /\[rejected\]/.test(error.message))
          throw new PushRejected(error.message);
        throw error;
      }
    },
  };
}

const FETCH = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-recurse-submodules',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--refmap=',
];

const ENTRY = /^(\d{6}) \w+ ([0-9a-f]{40,64}) +(\d+|-)\t(.*)$/s;

function entryOf(row: string): GitEntry {
  const [, mode = '', oid = '', size = '', name = ''] = ENTRY.exec(row) ?? [];
  if (mode === '') throw new GitFailed('git listed a file in an unknown form');
  return { path: name, mode, oid, size: size === '-' ? 0 : Number(size) };
}

function blobsIn(output: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf(10, at);
    const [oid = '', type = '', size = ''] = output.subarray(at, end).toString().split(' ');
    if (type !== 'blob') throw new GitFailed(`git has no file ${oid}`);
    const from = end + 1;
    found.set(oid, output.subarray(from, from + Number(size)));
    at = from + Number(size) + 1;
  }
  return found;
}

/** Returns commits in the form of `git fast-import`: each but the first follows the one before. */
function streamOf(parent: string | undefined, commits: readonly NewCommit[]): Buffer {
  const parts = commits.flatMap((commit, index) => commitParts(commit, index === 0 ? parent : undefined));
  return Buffer.concat([...parts, 'done\n'].map((part) => Buffer.from(part)));
}

function commitParts({ author, message, files, deleted }: NewCommit, parent: string | undefined) {
  const parts: (string | Buffer)[] = [];
  const seconds = Math.floor(author.atMs / 1000);
  parts.push('commit refs/fabula/new\n');
  parts.push(`author ${identity(author)} ${seconds} +0000\n`);
  parts.push(`committer ${COMMITTER} ${Math.floor(Date.now() / 1000)} +0000\n`);
  parts.push(...dataOf(message));
  if (parent !== undefined) parts.push(`from ${parent}\n`);
  for (const name of deleted) parts.push(`D ${quotedPath(name)}\n`);
  for (const file of files) parts.push(`M 100644 inline ${quotedPath(file.path)}\n`, ...dataOf(file.text));
  parts.push('\n');
  return parts;
}

function dataOf(text: string): (string | Buffer)[] {
  const bytes = Buffer.from(text);
  return [`data ${bytes.length}\n`, bytes, '\n'];
}

const plain = (text: string) => text.replace(/[<>\p{Cc}]/gu, ' ').trim();

function identity({ name, email }: { name: string; email: string }): string {
  return `${plain(name) || 'unknown'} <${plain(email).replaceAll(' ', '')}>`;
}

function quotedPath(name: string): string {
  return `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
