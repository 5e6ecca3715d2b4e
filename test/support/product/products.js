const { fork } = require('node:child_process');
const path = require('node:path');

const FILE = path.join(__dirname, '..', '..', '..', '.cache', 'product', 'product.js');

/** The test product of this Jest worker: it is started by the first call, and lives as long as the worker. */
let product;

/** Calls it (`door.ts`). Returns the JSON of what it answers, or the error. */
function callProduct(name, input) {
  product ??= startProduct();
  return product.call(name, input);
}

function startProduct() {
  // Its lines go to standard error: standard output belongs to Jest's own report (--json).
  const child = fork(FILE, { execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] });
  const open = new Map();
  let calls = 0;
  // A test waits for an answer, and Jest for no process that only stands by.
  const hold = () => (open.size > 0 ? child.channel?.ref() : child.channel?.unref());
  const end = (how) => {
    product = undefined;
    for (const { reject } of open.values()) reject(new Error(`The test product ended (${how})`));
    open.clear();
  };
  child.on('message', ({ id, ...answer }) => {
    open.get(id)?.resolve(answer);
    open.delete(id);
    hold();
  });
  child.once('error', (error) => end(error.message));
  child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  child.unref();
  return {
    call: (name, input) =>
      new Promise((resolve, reject) => {
        calls += 1;
        open.set(calls, { resolve, reject });
        hold();
        child.send({ id: calls, name, input });
      }),
  };
}

module.exports = { callProduct };
