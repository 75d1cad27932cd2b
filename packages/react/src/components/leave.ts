let leaving = false

/** Whether the page is already navigating away, so that no second navigation starts. */
export const isLeaving = (): boolean => leaving

/** Navigates for real, because password managers detect a sign-in by it. Only to http(s). */
export function leaveFor(url: string): void {
  const target = new URL(url, location.href)
  if (target.protocol !== 'http:' && target.protocol !== 'https:') return
  leaving = true
  location.assign(target)
}
