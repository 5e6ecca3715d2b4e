import { statSync } from 'node:fs';
import path from 'node:path';
import { leaveRoot } from '../../src/operate/cli/start/leave-root.js';
import { startEmbeddedStores } from '../../src/operate/embedded/stores.js';

/*
 * A process that a test starts as root: leaves root as `npm start` does, starts the stores, and says on its last line whose process
 * and whose files they are.
 */
const ownerOf = (file: string) => statSync(file).uid;
const tell = (outcome: object) => process.stdout.write(`${JSON.stringify(outcome)}\n`);

async function main(): Promise<void> {
  const env = { ...process.env };
  const root = path.join(__dirname, '..', '..');
  const probe = {
    command: process.execPath,
    args: [path.join(root, 'dist', 'try-account.js')],
  };
  const said: string[] = [];
  await leaveRoot({ env, say: (line) => said.push(line), probe });
  const dataDir = env['DATA_DIR']!;
  const stores = await startEmbeddedStores({
    dataDir,
    needDatabase: true,
    needRedis: true,
    bufferPoolMb: 32,
    log: () => undefined,
    env,
  });
  const owners = [stores.mysql!.pid!, stores.redis!.pid!].map((pid) => ownerOf(`/proc/${pid}`));
  const files = ['.', 'mysql', 'mysql/ibdata1', 'store-passwords.json'].map((file) =>
    ownerOf(path.join(dataDir, file)),
  );
  await stores.stop();
  tell({ uid: process.getuid?.(), owners, files, said });
}

main().catch((error: unknown) => {
  tell({ failed: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
});
