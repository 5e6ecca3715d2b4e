import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFolderObjects } from '../../src/platform/objects/folder-objects.js';
import { ObjectMissing, type ObjectStore } from '../../src/platform/objects/object-store.js';
import { createS3Objects } from '../../src/platform/objects/s3-objects.js';
import { createHttpClient } from '../../src/platform/outbound/http-client.js';
import { startObjectStorage, STORAGE_KEYS } from '../support/object-storage.js';

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function folder() {
  const root = await mkdtemp(path.join(tmpdir(), 'fabula-objects-'));
  closers.push(() => rm(root, { recursive: true }));
  return { root, objects: createFolderObjects(path.join(root, 'archive')) };
}

async function bucket({ prefix = 'fabula/runs', region = 'eu-central-1', pageKeys = 2, secret = '' } = {}) {
  const storage = await startObjectStorage({ region, pageKeys });
  const http = createHttpClient({ allow: ['127.0.0.0/8'], timeoutMs: 30_000, maxResponseBytes: 1e8 });
  const keys = { ...STORAGE_KEYS, ...(secret !== '' && { secretAccessKey: secret }) };
  const objects = createS3Objects({ endpoint: storage.url, region, bucket: 'archive', prefix, keys, http });
  closers.push(
    () => storage.close(),
    () => objects.close(),
  );
  return { storage, objects };
}

const namesIn = async (objects: ObjectStore, under: string) => {
  const names: string[] = [];
  for await (const { name, bytes } of objects.list(under)) names.push(`${name} ${bytes}`);
  return names.toSorted();
};

describe.each([
  ['a folder', async () => (await folder()).objects],
  ['a bucket with a prefix', async () => (await bucket()).objects],
  ['a bucket alone', async () => (await bucket({ prefix: '' })).objects],
])('%s', (_name, open) => {
  it('keeps whole objects, and gives parts of them', async () => {
    const objects = await open();
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 256));
    await objects.put('runs/a-1.gz', bytes);
    await objects.put('runs/a-1.gz', bytes.subarray(1));
    expect(await objects.read('runs/a-1.gz')).toEqual(bytes.subarray(1));
    expect(await objects.read('runs/a-1.gz', { offset: 9, length: 90 })).toEqual(bytes.subarray(10, 100));
    expect(await objects.read('runs/a-1.gz', { offset: 990, length: 90 })).toEqual(bytes.subarray(991));
  });

  it('lists and removes objects, and says that one is missing', async () => {
    const objects = await open();
    expect(await namesIn(objects, 'index/')).toEqual([]);
    for (const name of ['index/a', 'index/b', 'index/c', 'index/d', 'index/e', 'runs/x']) {
      await objects.put(name, Buffer.from(name));
    }
    expect(await namesIn(objects, 'index/')).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((end) => `index/${end} 7`),
    );
    await objects.remove('index/c');
    await objects.remove('index/c');
    expect(await namesIn(objects, 'index/')).not.toContain('index/c 7');
    await expect(objects.read('index/c')).rejects.toThrow(ObjectMissing);
  });
});

describe('a folder of objects', () => {
  it('is readable by its user alone, and never shows a file that is not whole', async () => {
    const { root, objects } = await folder();
    await objects.put('runs/a', Buffer.from('a'));
    expect((await stat(path.join(root, 'archive/runs/a'))).mode & 0o777).toBe(0o600);
    expect((await stat(path.join(root, 'archive/runs'))).mode & 0o777).toBe(0o700);
    await writeFile(path.join(root, 'archive/runs/b.part-00112233'), 'half');
    expect(await namesIn(objects, 'runs/')).toEqual(['runs/a 1']);
    expect(await readdir(path.join(root, 'archive/runs'))).toHaveLength(2);
  });

  it('leaves the old object if the new one cannot be written', async () => {
    const { root, objects } = await folder();
    await objects.put('runs/a', Buffer.from('old'));
    await writeFile(path.join(root, 'archive/file'), '');
    await expect(objects.put('file/a', Buffer.from('new'))).rejects.toThrow();
    expect((await objects.read('runs/a')).toString()).toBe('old');
  });
});

describe('a bucket', () => {
  it('stores an object by one PUT', async () => {
    const { storage, objects } = await bucket();
    await objects.put('runs/a', Buffer.alloc(3_000_000, 'x'));
    expect(storage.requests.map(({ method, key }) => `${method} ${key}`)).toEqual(['PUT fabula/runs/runs/a']);
    expect(storage.objects.get('fabula/runs/runs/a')).toHaveLength(3_000_000);
  });

  it('is refused with another key, and the message names the reason', async () => {
    const { objects } = await bucket({ secret: 'another' });
    await expect(objects.put('runs/a', Buffer.from('a'))).rejects.toThrow(/403 SignatureDoesNotMatch/);
    await expect(objects.read('runs/a')).rejects.toThrow(/GET of \/archive\/fabula\/runs\/runs\/a/);
  });

  it('fails if the storage fails or the connection is cut', async () => {
    const { storage, objects } = await bucket();
    storage.fail(() => ({ status: 503, body: 'SlowDown' }));
    await expect(objects.read('runs/a')).rejects.toThrow(/503 SlowDown/);
    storage.fail(() => 'cut');
    await expect(objects.put('runs/a', Buffer.from('a'))).rejects.toThrow(/PUT of/);
    expect(storage.objects.size).toBe(0);
  });
});
