import http from 'node:http';
import type { Express, Request, Response } from 'express';

/**
 * Serves on the port of the environment. Express is three times as fast when requests are made with its
 * prototypes.
 */
export function serve(app: Express): void {
  class AppRequest extends http.IncomingMessage {}
  class AppResponse extends http.ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as Request;
  app.response = AppResponse.prototype as Response;
  http
    .createServer({ IncomingMessage: AppRequest, ServerResponse: AppResponse }, app)
    .listen(Number(process.env['PORT']), '127.0.0.1', () => console.log('floor is ready'));
}
