let leaving = false

/** Whether this page is being left already, so that nothing else leads somewhere else. */
export const isLeaving = (): boolean => leaving

/** Really leaves the page: a password manager notices a sign-in by the navigation. Only ever to http(s). */
export function leaveFor(url: string): void {
  const target = new URL(url, location.href)
  if (target.protocol !== 'http:' && target.protocol !== 'https:') return
  leaving = true
  location.assign(target)
}
