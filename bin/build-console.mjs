// `node bin/build-console.mjs [FOLDER]`: builds the console into `dist/console`, or into FOLDER. Beside each text file stand
// its compressed forms (.br, .gz), so that the server never compresses.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { build } from 'vite';
import { filesIn } from './bootstrap.mjs';
import { consoleConfig } from './console-config.mjs';
import { root } from './run.mjs';

/** index.html is filled in for each request, so it has no compressed form. */
const IS_COMPRESSED = /\.(?:js|css|svg|json)$/;

// Another value, such as that of Jest, would give a page for developers, with the paths of its sources.
process.env.NODE_ENV = 'production';
const outDir = path.resolve(process.argv[2] ?? path.join(root, 'dist', 'console'));
const config = consoleConfig();
await build({ ...config, logLevel: 'warn', build: { ...config.build, outDir } });
for (const name of filesIn(outDir).filter((name) => IS_COMPRESSED.test(name))) {
  const file = path.join(outDir, name);
  const bytes = readFileSync(file);
  const params = { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${file}.br`, zlib.brotliCompressSync(bytes, { params }));
  writeFileSync(`${file}.gz`, zlib.gzipSync(bytes, { level: 9 }));
}
