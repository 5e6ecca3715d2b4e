import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Variables with which git neither reads settings of this machine nor asks a person. */
const ENV = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada Lovelace',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada Lovelace',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

export const hasGit = (() => {
  try {
    execFileSync('git', ['--version'], { env: ENV });
    return true;
  } catch {
    return false;
  }
})();

/** A bare repository with a working copy beside it, in which a test plays another person. */
export function makeGitRepository(folder = mkdtempSync(path.join(tmpdir(), 'git-host-'))) {
  const bare = path.join(folder, 'team.git');
  const copy = path.join(folder, 'copy');
  const git = (args: string[], cwd = copy, input?: string) =>
    execFileSync('git', args, {
      cwd,
      env: ENV,
      encoding: 'utf8',
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
    }).trim();
  git(['init', '--quiet', '--bare', '--initial-branch=main', bare], folder);
  git(['config', 'http.receivepack', 'true'], bare);
  git(['config', 'uploadpack.allowAnySHA1InWant', 'true'], bare);
  git(['clone', '--quiet', bare, copy], folder);
  return {
    folder,
    bare,
    copy,
    git,
    /** Writes files (null: deletes them), commits and pushes them to a branch. Returns the commit. */
    commit(files: Record<string, string | null>, message = 'Change files', branch = 'main'): string {
      for (const [name, text] of Object.entries(files)) {
        const file = path.join(copy, name);
        if (text === null) rmSync(file);
        else {
          mkdirSync(path.dirname(file), { recursive: true });
          writeFileSync(file, text);
        }
      }
      git(['add', '--all']);
      git(['commit', '--quiet', '--allow-empty', '-m', message]);
      git(['push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`]);
      return git(['rev-parse', 'HEAD']);
    },
    /** Brings the working copy to a branch of the repository. */
    update(branch = 'main'): void {
      git(['fetch', '--quiet', 'origin']);
      git(['reset', '--quiet', '--hard', `origin/${branch}`]);
    },
    /** Returns the files of a branch. */
    files(branch = 'main'): string[] {
      return git(['ls-tree', '-r', '--name-only', branch], bare)
        .split('\n')
        .filter((name) => name !== '');
    },
    read: (name: string, branch = 'main'): string => git(['show', `${branch}:${name}`], bare),
    log: (format: string, branch = 'main'): string[] =>
      git(['log', `--format=${format}`, branch], bare).split('\n'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type GitRepositoryOfTest = ReturnType<typeof makeGitRepository>;

interface HttpHostOptions {
  /** `user:password` that each request must have. */
  login?: string;
  /** Its key and certificate: it speaks https. */
  tls?: { key: string; cert: string };
  /** Called before each request; what it returns is awaited. */
  before?: (request: IncomingMessage) => unknown;
}

/** Serves the repositories below a folder with `git http-backend`, on loopback. */
export async function startGitHttpHost(root: string, { login, tls, before }: HttpHostOptions = {}) {
  const seen: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    seen.push(`${request.method} ${request.url}`);
    await before?.(request);
    const wanted = login && `Basic ${Buffer.from(login).toString('base64')}`;
    if (wanted !== undefined && request.headers.authorization !== wanted) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const { pathname, search } = new URL(request.url ?? '/', 'http://host');
    const child = spawn('git', ['http-backend'], {
      env: {
        ...ENV,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_PROTOCOL: request.headers['git-protocol'] as string | undefined,
        PATH_INFO: decodeURIComponent(pathname),
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'],
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
        REMOTE_USER: 'test',
        REMOTE_ADDR: '127.0.0.1',
      },
    });
    request.pipe(child.stdin);
    child.stdin.on('error', () => undefined);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('close', () => {
      const all = Buffer.concat(chunks);
      const end = all.indexOf('\r\n\r\n');
      const lines = all.subarray(0, end).toString().split('\r\n');
      const headers = lines.map((row) => row.split(/: (.*)/s).slice(0, 2) as [string, string]);
      const status = headers.find(([name]) => name.toLowerCase() === 'status')?.[1] ?? '200';
      response.writeHead(
        Number(status.slice(0, 3)),
        Object.fromEntries(headers.filter(([name]) => name.toLowerCase() !== 'status')),
      );
      response.end(all.subarray(end + 4));
    });
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse) => void answer(request, response);
  const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    seen,
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/team.git`,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', process.env.SSHD ?? ''].find(
  (file) => file !== '' && existsSync(file),
);
export const hasSshd = hasGit && SSHD !== undefined;

/** Serves repositories with a real sshd on loopback, for one key. */
export async function startGitSshHost(root: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'git-ssh-'));
  const makeKey = (name: string) =>
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path.join(folder, name)]);
  const read = (name: string) => execFileSync('cat', [path.join(folder, name)], { encoding: 'utf8' });
  makeKey('host');
  makeKey('client');
  writeFileSync(path.join(folder, 'authorized'), read('client.pub'), { mode: 0o600 });
  const port = await freePort();
  writeFileSync(
    path.join(folder, 'config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${folder}/host`,
      `AuthorizedKeysFile ${folder}/authorized`,
      'StrictModes no',
      'UsePAM no',
      'PidFile none',
      'PasswordAuthentication no',
    ].join('\n'),
  );
  mkdirSync('/run/sshd', { recursive: true });
  const child = spawn(SSHD ?? '', ['-D', '-e', '-f', path.join(folder, 'config')], { stdio: 'ignore' });
  const user = execFileSync('id', ['-un'], { encoding: 'utf8' }).trim();
  return {
    url: `ssh://${user}@127.0.0.1:${port}${root}/team.git`,
    privateKey: read('client'),
    hostKey: read('host.pub').split(' ').slice(0, 2).join(' '),
    close(): void {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createNetServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return port;
}
