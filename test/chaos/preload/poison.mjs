// Loaded into the worker of HTTP requests before its own modules: a request that bears the header `x-poison: yes` ends
// the process on the spot, as a fault in native code would.
import net from 'node:net';

const write = Reflect.get(net.Socket.prototype, 'write');
net.Socket.prototype.write = function writeOrDie(chunk, ...rest) {
  if (typeof chunk === 'string' && /^x-poison: yes\r$/im.test(chunk)) process.kill(process.pid, 'SIGKILL');
  return write.call(this, chunk, ...rest);
};
