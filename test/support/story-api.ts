import { NotFound } from '../../src/platform/errors.js';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { checkOptions, runnable } from '../../src/agents/index.js';
import type { Actor } from '../../src/api/auth/actor.js';
import { errorHandler } from '../../src/api/response/error-handler.js';
import { mountRoutes } from '../../src/api/routing/mount-routes.js';
import { storyRoutes } from '../../src/stories/story/routes/story-routes.js';
import { createStoryService, type StoryService } from '../../src/stories/story/story-service.js';
import type { TestStores } from './stores.js';

export interface StoryApi {
  stories: StoryService;
  call(
    actor: Actor,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; headers: Headers; body: unknown }>;
}

/** The story endpoints over HTTP; who calls is said by the test instead of a key. */
export function useStoryApi(stores: TestStores): StoryApi {
  let service: StoryService | undefined;
  let base = '';
  const actors: Actor[] = [];
  const authenticate = ({ userToken }: { userToken: string | undefined }) => {
    const actor = actors[Number(userToken)];
    return actor === undefined ? Promise.reject(new Error('no such actor')) : Promise.resolve(actor);
  };
  const open = () => {
    if (service === undefined) throw new Error('The API is open inside hooks and tests only');
    return service;
  };

  beforeAll(async () => {
    service = createStoryService({ database: stores.db, agentTypes: { checkOptions, runnable } });
    const app = express();
    const publicUrl = 'https://fabula.example';
    const options = {
      routes: storyRoutes,
      authenticator: { authenticate },
      bodyLimitBytes: 10_485_760,
      publicUrl,
    };
    app.use(
      mountRoutes({
        ...options,
        services: {
          stories: service,
          drafts: { storyIdOf: (_actor, { storyId }) => Promise.resolve(storyId) },
        },
      }),
    );
    app.use((req) => {
      throw new NotFound(`${req.method} ${req.path}`);
    });
    app.use(errorHandler(stores.logger));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    stores.onClose(() => {
      server.closeAllConnections();
      server.close();
    });
  });

  return {
    get stories() {
      return open();
    },
    async call(actor, path, body) {
      const token = String(actors.push(actor) - 1);
      const response = await fetch(base + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'x-user-token': token, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
    },
  };
}
