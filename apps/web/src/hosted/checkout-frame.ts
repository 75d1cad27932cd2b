/** What a checkout in a frame tells the page around it; only ever to the origin that the seller has named. */
type FrameEvent =
  | { readonly event: 'loaded' | 'confirmed' | 'close' }
  | { readonly event: 'success'; readonly checkoutId: string; readonly successUrl: string }

export function tellFrame(origin: string, event: FrameEvent): void {
  if (window.parent !== window) window.parent.postMessage({ type: 'TOLLGATE_CHECKOUT', ...event }, origin)
}

/** The receipt, in the frame. Where to go from there, the page around it decides. */
export const confirmationPath = (clientSecret: string): string =>
  `/checkout/${encodeURIComponent(clientSecret)}/confirmation?embed=1`
