import type { AppViewRoute } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import type { NextFunction, Request, Response } from 'express';
import { forwardedPrefix } from '../../../platform/http/address/own-base-url.js';
import { BOARD_PATH } from '../admin-paths.js';

/** Set for each request of the board. */
interface BoardLocals {
  boardBase?: string;
}

/** Notes the path under which the sender reaches the board: the board's own application does not know of proxies. */
export function noteBase(req: Request, res: Response, next: NextFunction): void {
  (res.locals as BoardLocals).boardBase = forwardedPrefix(req) + BOARD_PATH;
  next();
}

/** The adapter of Bull Board, whose page has the path that the sender uses as its base. */
export class BoardAdapter extends ExpressAdapter {
  override setEntryRoute(entry: AppViewRoute): this {
    this.app[entry.method](entry.route, (_req: Request, res: Response) => {
      const { boardBase: basePath = BOARD_PATH } = res.locals as BoardLocals;
      const { name, params } = entry.handler({ basePath, uiConfig: this.uiConfig });
      res.render(name, params);
    });
    return this;
  }
}
