import http from 'node:http';

/*
 * A server for HTTP actions: it answers each request after a while, and records the time. `GET /stats` reports them.
 */
const [, , delayMs = '100'] = process.argv;
let calledAtMs: number[] = [];
let inFlight = 0;
let mostInFlight = 0;

const server = http.createServer((request, response) => {
  request.resume();
  if (request.url === '/stats') {
    response.end(JSON.stringify({ calledAtMs, mostInFlight }));
    calledAtMs = [];
    mostInFlight = 0;
    return;
  }
  calledAtMs.push(performance.now());
  inFlight += 1;
  mostInFlight = Math.max(mostInFlight, inFlight);
  setTimeout(() => {
    inFlight -= 1;
    response.end('{"ok":true}');
  }, Number(delayMs));
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env['PORT']), '127.0.0.1', () => console.log('target is ready'));
