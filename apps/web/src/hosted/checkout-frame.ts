/** The messages of an embedded checkout to its parent page, only to the seller's origin. */
type FrameEvent =
  | { readonly event: 'loaded' | 'confirmed' | 'close' }
  | { readonly event: 'success'; readonly checkoutId: string; readonly successUrl: string }

export function tellFrame(origin: string, event: FrameEvent): void {
  if (window.parent !== window) window.parent.postMessage({ type: 'TOLLGATE_CHECKOUT', ...event }, origin)
}

/** The receipt in the frame. The parent page decides what follows. */
export const confirmationPath = (clientSecret: string): string =>
  `/checkout/${encodeURIComponent(clientSecret)}/confirmation?embed=1`
