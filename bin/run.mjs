// Running other programs from the entry points.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const OUTPUT_CHARACTERS = 100_000;
const TAIL_CHARACTERS = 4_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** An expected error: the entry points print only its message, without a stack. */
export class BootstrapError extends Error {}

/** Runs a tool in the checkout without printing its output. An error has the end of it in its message, more in `output`. */
export function run([program, ...first], rest, limitMs) {
  const args = [...first, ...rest];
  return new Promise((resolve, reject) => {
    let output = '';
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], timeout: limitMs });
    const keep = (chunk) => {
      output = (output + chunk).slice(-OUTPUT_CHARACTERS);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const letGo = passSignals(child);
    child.on('error', (error) => {
      letGo();
      reject(new BootstrapError(`Cannot run ${program}: ${error.message}`));
    });
    child.on('close', (code, signal) => {
      letGo();
      if (code === 0) return resolve();
      const name = [program, ...args].map((word) => path.basename(word)).join(' ');
      const tail = output.trimEnd().slice(-TAIL_CHARACTERS);
      const error = new BootstrapError(`${name} failed (${signal ?? `exit code ${code}`}):\n${tail}`);
      return reject(Object.assign(error, { output }));
    });
  });
}

/** Runs a script of this checkout with the same terminal, and forwards signals. Returns the exit code to end with. */
export function runNode(script, args, cwd = root, node = process.execPath) {
  return untilExit(spawn(node, [path.join(root, script), ...args], { cwd, stdio: 'inherit' }));
}

/** Waits for the end of a child that stands for us, and hands signals on. Returns the exit code to end with. */
export function untilExit(child) {
  return new Promise((resolve, reject) => {
    const letGo = passSignals(child);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      letGo();
      resolve(code ?? 128 + (signal === 'SIGINT' ? 2 : 15));
    });
  });
}

/** Forwards signals to `child`, so that stopping this process stops it. Returns a function that ends the forwarding. */
function passSignals(child) {
  const pass = (signal) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  return () => {
    for (const signal of SIGNALS) process.off(signal, pass);
  };
}
