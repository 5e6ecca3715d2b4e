declare global {
  /** The name under which the packages of dialogs look for the nonce of the page's policy. */
  var __webpack_nonce__: string | undefined;
}

/** Tells packages that write `<style>` the nonce with which the policy of the page lets them. */
export function allowOwnStyles() {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]');
  globalThis.__webpack_nonce__ = meta?.content ?? '';
}
