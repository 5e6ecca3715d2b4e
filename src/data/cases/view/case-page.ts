import { type Request, type Response, Router } from 'express';
import { PAGE_HEADERS, htmlPage } from '../../../platform/http/page-style.js';
import { ownBaseUrl } from '../../../platform/http/address/own-base-url.js';
import { escapeHtml } from '../../../platform/text/escape-html.js';

const ID = /^\d{1,20}$/;

/**
 * Returns the router for the URLs of cases (spec §7.1), to be mounted at `/cases`. The page says how to read a case by the
 * API. It needs no key, looks nothing up, and is the same whether or not the case exists.
 */
export function createCasePage({ publicUrl }: { publicUrl: string | undefined }): Router {
  const router = Router();
  router.get('/:id', (req: Request<{ id: string }>, res: Response, next) => {
    const { id } = req.params;
    if (!ID.test(id)) return next();
    res
      .set(PAGE_HEADERS)
      .type('text/html')
      .send(casePage(id, publicUrl ?? ownBaseUrl(req)));
  });
  return router;
}

function casePage(id: string, baseUrl: string): string {
  const address = escapeHtml(`${baseUrl}/api/v2/cases/${id}`);
  return htmlPage(
    `Case ${id}`,
    `<p class="soft">This server only serves cases through its API. Read this case with an API key:</p>
<pre><code>curl ${address} \\
  -H "X-User-Token: $FABULA_KEY"</code></pre>
<p><a href="/api/docs">What the API can do</a></p>`,
  );
}
