import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { watchCutTexts } from './app/cut-texts.js';
import { watchParts } from './app/part-errors.js';

declare global {
  /** The name under which the packages of dialogs look for the nonce of the page's policy. */
  var __webpack_nonce__: string | undefined;
}

allowOwnStyles();
watchParts();
watchCutTexts();
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);

/** Tells packages that write `<style>` the nonce with which the policy of the page lets them. */
function allowOwnStyles() {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]');
  globalThis.__webpack_nonce__ = meta?.content ?? '';
}
