import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebSocket } from 'undici';
import { eventually } from './eventually.js';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A Chromium of this machine; undefined where there is none: then tests that need one are left out. */
export const CHROMIUM = [process.env['CHROMIUM'], ...PLACES].find(
  (file) => file !== undefined && existsSync(file),
);

/** One tab of a headless browser, with a profile of its own. */
export interface Browser {
  /** Resolves when the page has come, or is known not to. */
  open(url: string): Promise<void>;
  /** What an expression is in the page. */
  look<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

interface Reply {
  id?: number;
  method?: string;
  result?: unknown;
  error?: { message: string };
}

/** Starts it. @throws Error where there is none. */
export async function startBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('no Chromium on this machine; set CHROMIUM');
  const profile = mkdtempSync(path.join(tmpdir(), 'fabula-browser-'));
  const child = spawn(
    CHROMIUM,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const tab = await connect(await addressOf(child));
  return {
    async open(url) {
      const loaded = tab.event('Page.loadEventFired');
      const { errorText } = (await tab.send('Page.navigate', { url })) as { errorText?: string };
      if (errorText === undefined) await loaded;
    },
    async look<T>(expression: string) {
      const { result } = (await tab.send('Runtime.evaluate', {
        expression,
        returnByValue: true,
        awaitPromise: true,
      })) as {
        result: { value: T };
      };
      return result.value;
    },
    async close() {
      tab.close();
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
      await eventually(() => isRemoved(profile));
    },
  };
}

/** Its other processes still write for a moment: false where they have written meanwhile. */
function isRemoved(profile: string): boolean {
  try {
    rmSync(profile, { recursive: true, force: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTEMPTY') return false;
    throw error;
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return eventually(() => /DevTools listening on (ws:\S+)/.exec(said)?.[1], 60_000);
}

/** Speaks the DevTools protocol with a new tab. */
async function connect(address: string) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  const waiting = new Map<number, (reply: Reply) => void>();
  const listening = new Map<string, () => void>();
  let last = 0;
  const tab: { sessionId?: string } = {};
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
    else listening.get(reply.method ?? '')?.();
  });
  const send = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${error.message}`));
      });
      socket.send(JSON.stringify({ id, method, params, ...tab }));
    });
  const { targetId } = (await send('Target.createTarget', { url: 'about:blank' })) as { targetId: string };
  const attached = (await send('Target.attachToTarget', { targetId, flatten: true })) as {
    sessionId: string;
  };
  Object.assign(tab, attached);
  await send('Page.enable');
  return {
    send,
    event: (method: string) => new Promise<void>((resolve) => listening.set(method, resolve)),
    close: () => socket.close(),
  };
}
