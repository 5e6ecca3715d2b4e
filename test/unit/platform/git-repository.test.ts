import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { blobOid } from '../../../src/platform/git/blob-oid.js';
import { gitRemote, isBranchName } from '../../../src/platform/git/git-remote.js';
import {
  type GitAccess,
  type GitRepository,
  PushRejected,
  withGitRepository,
} from '../../../src/platform/git/git-repository.js';
import { outboundDoor } from '../../../src/platform/git/outbound-door.js';
import { selfSigned } from '../../support/certificates.js';
import {
  type GitRepositoryOfTest,
  hasGit,
  hasSshd,
  makeGitRepository,
  startGitHttpHost,
  startGitSshHost,
} from '../../support/git-host.js';

const LOOPBACK = { allow: ['127.0.0.0/8'] };
const SEARCH_PATH = process.env.PATH ?? '';

function accessTo(address: string, more: Partial<GitAccess> = {}, rules = LOOPBACK): GitAccess {
  const remote = gitRemote(address);
  if (remote === undefined) throw new Error(`no repository: ${address}`);
  return {
    remote,
    secret: undefined,
    hostKeys: [],
    certificates: [],
    searchPath: SEARCH_PATH,
    open: outboundDoor(remote, rules),
    mostBytes: 8 * 1024 * 1024,
    timeoutMs: 30_000,
    ...more,
  };
}

const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`fabula-git-${process.pid}-`));
const author = { name: 'Bo <Bob>', email: 'bo@example.com', atMs: Date.parse('2026-11-30T10:00:00Z') };

describe('stories as software: addresses of repositories', () => {
  it.each([
    ['https://git.example.com/soc/stories.git', 'https://git.example.com/soc/stories.git', 443],
    ['https://git.example.com:8443/a', 'https://git.example.com:8443/a', 8443],
    ['git@github.com:soc/stories.git', 'ssh://git@github.com/soc/stories.git', 22],
    ['ssh://me@[2001:db8::1]:2222/x', 'ssh://me@[2001:db8::1]:2222/x', 2222],
  ])('reads %s', (address, url, port) => {
    expect(gitRemote(address)).toMatchObject({ url, port });
  });

  it.each([
    'https://user:secret@git.example.com/a',
    'https://token@git.example.com/a',
    'file:///etc',
    'ext::sh -c touch% /tmp/x',
    'git://git.example.com/a',
    '-oProxyCommand=touch',
    'ssh://-oProxyCommand=x/a',
    'ssh://-x@host/a',
    'git@host:a b',
    "ssh://git@host/a';touch x",
    'https://git.example.com/a?b=c',
    'https://git.example.com',
    '/tmp/x',
  ])('refuses %s', (address) => {
    expect(gitRemote(address)).toBeUndefined();
  });

  it.each([
    ['main', true],
    ['feature/a-b_1.0', true],
    ['-x', false],
    ['a..b', false],
    ['a/.b', false],
    ['a.lock', false],
    ['HEAD', false],
    ['a:b', false],
    ['a b', false],
    ['a~1', false],
  ])('branch %s: %s', (name, is) => {
    expect(isBranchName(name)).toBe(is);
  });
});

// Skipped where the program git is not installed.
(hasGit ? describe : describe.skip)('stories as software: a repository over http', () => {
  let host: Awaited<ReturnType<typeof startGitHttpHost>>;
  let repository: GitRepositoryOfTest;

  beforeEach(async () => {
    repository = makeGitRepository();
    host = await startGitHttpHost(repository.folder, { login: 'git:sesame' });
  });
  afterEach(async () => {
    await host.close();
    repository.remove();
  });

  const secret = { user: 'git', password: 'sesame' };
  const open = <Result>(work: (found: GitRepository) => Promise<Result>, more: Partial<GitAccess> = {}) =>
    withGitRepository(accessTo(host.url, { secret, ...more }), work);

  it('gets, lists, reads, commits and pushes', async () => {
    const first = repository.commit({ 'stories/a.yaml': 'a: 1\n', 'ü"\\.txt': 'x' }, 'Add a');
    const made = await open(async (git) => {
      expect(await git.heads()).toEqual(new Map([['main', first]]));
      expect(await git.fetch('main', 20)).toBe(first);
      const entries = await git.list(first, 'stories', 100);
      expect(entries).toEqual([{ path: 'stories/a.yaml', mode: '100644', oid: blobOid('a: 1\n'), size: 5 }]);
      expect((await git.list(first, '', 100)).map((entry) => entry.path)).toContain('ü"\\.txt');
      expect((await git.read([blobOid('a: 1\n')], 100)).get(blobOid('a: 1\n'))?.toString()).toBe('a: 1\n');
      expect(await git.lastChange(first, ['stories'])).toMatchObject({
        authorName: 'Ada Lovelace',
        subject: 'Add a',
      });
      const commit = await git.commit(first, [
        {
          author,
          message: 'Change a\n\nThe why.',
          files: [
            { path: 'stories/a.yaml', text: 'a: 2\n' },
            { path: 'ö".yaml', text: '' },
          ],
          deleted: ['ü"\\.txt'],
        },
        { author, message: 'Change it again', files: [{ path: 'ö".yaml', text: 'b: 1\n' }], deleted: [] },
      ]);
      await git.push(commit, 'main');
      return commit;
    });
    expect(repository.git(['rev-parse', 'main'], repository.bare)).toBe(made);
    expect(repository.read('stories/a.yaml')).toBe('a: 2');
    expect(repository.files()).toHaveLength(2);
    expect(repository.read('ö".yaml')).toBe('b: 1');
    expect(repository.log('%an <%ae> %s').slice(0, 2)).toEqual([
      'Bo  Bob <bo@example.com> Change it again',
      'Bo  Bob <bo@example.com> Change a',
    ]);
    expect(folders()).toEqual([]);
  });

  it('makes the first commit of an empty repository', async () => {
    await open(async (git) => {
      expect((await git.heads()).size).toBe(0);
      const files = [{ path: 'a', text: 'a' }];
      await git.push(await git.commit(undefined, [{ author, message: 'a', files, deleted: [] }]), 'main');
    });
    expect(repository.files()).toEqual(['a']);
  });

  it('does not push over the commit of another', async () => {
    const first = repository.commit({ a: '1' });
    await open(async (git) => {
      await git.fetch('main', 1);
      const commit = await git.commit(first, [{ author, message: 'b', files: [], deleted: ['a'] }]);
      const theirs = repository.commit({ a: '2' });
      await expect(git.push(commit, 'main')).rejects.toThrow(PushRejected);
      await expect(git.push(commit, 'main', first)).rejects.toThrow(PushRejected);
      expect(repository.git(['rev-parse', 'main'], repository.bare)).toBe(theirs);
    });
  });

  it('tells a rewritten branch', async () => {
    const first = repository.commit({ a: '1' });
    const second = repository.commit({ a: '2' });
    await open(async (git) => {
      await git.fetch('main', 20);
      expect(await git.isAncestor(first, second)).toBe(true);
      expect(await git.isAncestor('f'.repeat(40), second)).toBe(false);
    });
  });

  it('refuses a wrong password without asking for one', async () => {
    repository.commit({ a: '1' });
    await expect(open((git) => git.heads(), { secret: undefined })).rejects.toThrow(
      /could not read|Authentication/,
    );
    await expect(open((git) => git.heads(), { secret: { user: 'git', password: 'no' } })).rejects.toThrow(
      /Authentication failed/,
    );
    expect(folders()).toEqual([]);
  });

  it('ends a repository that sends too much, or takes too long', async () => {
    repository.commit({
      a: Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7919) % 251)).toString('base64'),
    });
    await expect(open((git) => git.fetch('main', 1), { mostBytes: 2_000 })).rejects.toThrow(
      'sent more than 2000 bytes',
    );
    await expect(open((git) => git.fetch('main', 1), { timeoutMs: 1 })).rejects.toThrow('took longer');
    expect(folders()).toEqual([]);
  });

  it('leaves links and submodules in the list, and never on the disk', async () => {
    repository.git([
      'update-index',
      '--add',
      '--cacheinfo',
      `120000,${repository.git(['hash-object', '-w', '--stdin'], repository.copy, '/etc/passwd')},link`,
    ]);
    repository.git(['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`]);
    repository.git(['commit', '--quiet', '-m', 'Hostile']);
    repository.git(['push', '--quiet', 'origin', 'HEAD:main']);
    const entries = await open(async (git) => git.list(await git.fetch('main', 1), '', 10));
    expect(entries.map(({ mode }) => mode)).toEqual(['120000', '160000']);
  });
});

// Skipped where the program git is not installed.
(hasGit ? describe : describe.skip)('stories as software: a repository over https', () => {
  it('is reached through the door, and only with a certificate that is trusted', async () => {
    const repository = makeGitRepository();
    const tls = selfSigned('127.0.0.1');
    const host = await startGitHttpHost(repository.folder, { login: 'git:sesame', tls });
    const first = repository.commit({ a: '1' });
    const access = { secret: { user: 'git', password: 'sesame' }, certificates: [tls.cert] };
    try {
      await withGitRepository(accessTo(host.url, access), async (git) => {
        expect(await git.fetch('main', 1)).toBe(first);
        await git.push(
          await git.commit(first, [{ author, message: 'b', files: [], deleted: ['a'] }]),
          'main',
        );
      });
      expect(repository.files()).toEqual([]);
      const untrusted = accessTo(host.url, { ...access, certificates: [selfSigned('127.0.0.1').cert] });
      await expect(withGitRepository(untrusted, (git) => git.heads())).rejects.toThrow(/certificate/);
    } finally {
      await host.close();
      repository.remove();
    }
  });
});

// Skipped where the program git is not installed.
(hasGit ? describe : describe.skip)('stories as software: where git may go', () => {
  it.each([
    ['http://127.0.0.1:3000/a.git', { allow: [] }, /OUTBOUND_ALLOW/],
    ['https://127.0.0.1:3000/a.git', { allow: [] }, /OUTBOUND_ALLOW/],
    ['ssh://git@127.0.0.1/a.git', { allow: [] }, /OUTBOUND_ALLOW/],
    ['ssh://git@169.254.169.254/a.git', { allow: [] }, /OUTBOUND_ALLOW/],
    ['https://localhost:6379/a.git', LOOPBACK, /OUTBOUND_PORTS/],
    ['ssh://git@localhost:3306/a.git', LOOPBACK, /OUTBOUND_PORTS/],
    ['https://git.example.com/a.git', { allow: [], allowHosts: ['*.example.org'] }, /OUTBOUND_ALLOW_HOSTS/],
    ['https://git.example.com/a.git', { allow: [], deny: ['git.example.com'] }, /OUTBOUND_DENY/],
    ['http://127.0.0.1:3000/a.git', { ...LOOPBACK, requireTls: true }, /OUTBOUND_REQUIRE_TLS/],
  ])('refuses %s with %j', async (address, rules, reason) => {
    await expect(withGitRepository(accessTo(address, {}, rules), (git) => git.heads())).rejects.toThrow(
      reason,
    );
  });

  it('does not follow a redirect to another host', async () => {
    const { createServer } = await import('node:http');
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as { port: number };
    await expect(
      withGitRepository(accessTo(`http://127.0.0.1:${port}/a.git`), (git) => git.heads()),
    ).rejects.toThrow('error: 302');
    server.close();
    expect(asked).toHaveLength(1);
  });
});

// Skipped where git or sshd is not installed.
(hasSshd ? describe : describe.skip)('stories as software: a repository over ssh', () => {
  let repository: GitRepositoryOfTest;
  let host: Awaited<ReturnType<typeof startGitSshHost>>;

  beforeAll(async () => {
    repository = makeGitRepository();
    host = await startGitSshHost(repository.folder);
  });
  afterAll(() => {
    host.close();
    repository.remove();
  });

  it('gets and pushes with a key, and with the key of the host', async () => {
    const first = repository.commit({ a: '1' });
    const access = accessTo(host.url, { secret: { privateKey: host.privateKey }, hostKeys: [host.hostKey] });
    await withGitRepository(access, async (git) => {
      expect(await git.fetch('main', 1)).toBe(first);
      await git.push(await git.commit(first, [{ author, message: 'b', files: [], deleted: ['a'] }]), 'main');
    });
    expect(repository.files()).toEqual([]);
  });

  it('refuses a host with another key', async () => {
    const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
    const access = accessTo(host.url, { secret: { privateKey: host.privateKey }, hostKeys: [other] });
    await expect(withGitRepository(access, (git) => git.heads())).rejects.toThrow(
      /Host key verification failed/,
    );
  });
});
