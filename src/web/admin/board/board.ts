import { existsSync } from 'node:fs';
import path from 'node:path';
import { createBullBoard } from '@bull-board/api';
import type { AppViewRoute, MetricsHistoryProvider, UIConfig } from '@bull-board/api/typings/app';
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import helmet from 'helmet';
import { ExpressAdapter } from '@bull-board/express';
import { Forbidden, messageOf, UnsupportedMediaType } from '../../../platform/errors.js';
import { toAppError } from '../../../api/face.js';
import { partName, type QueuePart, type Queues } from '../../../engine/face.js';
import type { Logger } from '../../../platform/logger.js';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { memoizeFor } from '../../../platform/runtime/memoize.js';
import { READS } from '../same-origin.js';
import type { BoardDeliveries } from './board-deliveries.js';
import { forwardedPrefix } from '../../../platform/http/address/own-base-url.js';
import { BOARD_PATH, CONSOLE_PATH, fromBoard, SIGN_OUT_PATH } from '../admin-paths.js';
import { withOwnFonts } from './board-fonts.js';
import { asOperator } from './board-operator.js';
import { BoardQueue } from './board-queue.js';
import { BOARD_THEME } from './board-theme.js';
import { withWayBack } from './board-way-back.js';

/** The board's looks: the parts besides queues, and its colours. */
const BOARD_STYLE: UIConfig = {
  boardTitle: 'Fabula',
  boardLogo: { path: fromBoard(`${CONSOLE_PATH}icon.svg`), width: 22, height: 22 },
  favIcon: {
    default: fromBoard(`${CONSOLE_PATH}icon.svg`),
    alternative: fromBoard(`${CONSOLE_PATH}icon.svg`),
  },
  showMetrics: true,
  // It leads to another host, about a program that readers do not install.
  hideDocsLink: true,
  miscLinks: [
    { text: 'Console', url: fromBoard(`${CONSOLE_PATH}queues`) },
    { text: 'Sign out', url: fromBoard(SIGN_OUT_PATH) },
  ],
  theme: BOARD_THEME,
};

/** The adapter of Bull Board, whose page has the path that the sender uses as its base. */
class BoardAdapter extends ExpressAdapter {
  override setEntryRoute(entry: AppViewRoute): this {
    this.app[entry.method](entry.route, (_req: Request, res: Response, next: NextFunction) => {
      const { boardBase: basePath = BOARD_PATH } = res.locals as BoardLocals;
      const { name, params } = entry.handler({ basePath, uiConfig: this.uiConfig });
      res.render(name, params, (error: Error | null, html: string) =>
        error === null ? res.send(withWayBack(withOwnFonts(html))) : next(error),
      );
    });
    return this;
  }
}

export interface BoardOptions {
  queues: Pick<Queues, 'at' | 'own' | 'known'>;
  /** True if the board may change queues and jobs; otherwise it is read-only. */
  mayWrite: boolean;
  deliveries: BoardDeliveries;
  redis: Pick<RedisClient, 'set' | 'del'>;
  /** The board's own account, for changes without a person of the console. */
  account: string;
  history: MetricsHistoryProvider;
  logger: Logger;
}

/** How long the board takes the parts of the queues as known. */
const PARTS_MS = 15_000;
/** The board's pages in the build; without one, its package finds them where it is installed. */
const PAGES = path.join(__dirname, 'board');

/** Creates Bull Board with every part of every queue. Mount it at `BOARD_PATH`, behind `adminAuth`. */
export function createBoard(options: BoardOptions): Router {
  const router = Router();
  const { board, addParts } = bullBoard(options);
  router.use(
    noteBase,
    asOperator(options.account),
    writes(options.mayWrite),
    boardPolicy(),
    cacheable,
    withNewParts(addParts, options),
    board,
  );
  return router;
}

/** Refuses changes on a read-only board, and bodies that a form of another site could send. */
function writes(mayWrite: boolean): RequestHandler {
  return (req, _res, next) => {
    if (READS.has(req.method)) return next();
    if (!mayWrite) throw new Forbidden('The board is read-only; set ADMIN_BOARD_WRITE=true to allow changes');
    if (hasBody(req) && !req.is('application/json'))
      throw new UnsupportedMediaType('The body is not valid JSON');
    next();
  };
}

function hasBody({ headers }: Request): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

/**
 * The content security policy of the board: its own files and inline styles, and no other host. No upgrade to https: the
 * board must work over plain http.
 */
function boardPolicy() {
  return helmet({
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'same-origin' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
  });
}

/** Allows caching of scripts and styles, whose names have a hash. Data of the board is never cached. */
function cacheable(req: Request, res: Response, next: NextFunction): void {
  if (req.path.startsWith('/static/')) res.setHeader('Cache-Control', 'private, max-age=86400');
  next();
}

/** Adds parts that other processes fill to the board, before it is looked at. */
function withNewParts(
  addParts: (parts: readonly QueuePart[]) => void,
  { queues, logger }: BoardOptions,
): RequestHandler {
  const look = memoizeFor(PARTS_MS, async () => addParts(await queues.known()));
  return (_req, _res, next) => {
    look()
      .catch((error: unknown) => {
        logger.debug('the queue board may be missing queue parts', { error: messageOf(error) });
      })
      .finally(next);
  };
}

interface ShownBoard {
  board: Router;
  /** Adds those that are not shown yet. */
  addParts: (parts: readonly QueuePart[]) => void;
}

/** Returns the board with the parts that this process fills, and the function that adds others. */
function bullBoard({ queues, mayWrite, deliveries, redis, history, logger }: BoardOptions): ShownBoard {
  const serverAdapter = new BoardAdapter();
  const shown = new Set<string>();
  const adapterOf = (part: QueuePart) => {
    shown.add(partName(part));
    return new BoardQueue(queues.at(part), { part, readOnlyMode: !mayWrite, deliveries, redis });
  };
  const { addQueue } = createBullBoard({
    queues: queues.own.map(adapterOf),
    serverAdapter,
    options: {
      uiConfig: BOARD_STYLE,
      historyProvider: history,
      ...(existsSync(PAGES) && { uiBasePath: PAGES }),
    },
  });
  // The board's own handler sends the reason to the client, in development with a stack; this one logs it.
  serverAdapter.setErrorHandler((error) => {
    if (toAppError(error)?.status === 400) {
      return { status: 400, body: { error: { key: 'ERRORS.INVALID_REQUEST_BODY' } } };
    }
    logger.warn('could not serve the queue board', { error: messageOf(error) });
    return { status: 500, body: { error: { key: 'ERRORS.REDIS_UNAVAILABLE' } } };
  });
  return {
    board: serverAdapter.getRouter() as Router,
    addParts: (parts) => {
      for (const part of parts) if (!shown.has(partName(part))) addQueue(adapterOf(part));
    },
  };
}

/** Set for each request of the board. */
interface BoardLocals {
  boardBase?: string;
}

/** Notes the path under which the sender reaches the board: the board's own application does not know of proxies. */
function noteBase(req: Request, res: Response, next: NextFunction): void {
  (res.locals as BoardLocals).boardBase = forwardedPrefix(req) + BOARD_PATH;
  next();
}
