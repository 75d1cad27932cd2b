/**
 * Keeps the browser's title in line with the page after a change in place or a refusal, as `definePage` does
 * for whole pages: a user who returns to the tab reads it first.
 */
export function followTitle(page: Element, appName: string, refused: string): void {
  const headingOf = () => page.querySelector('h1')?.textContent || heading
  const prefix = `${refused}: `
  let heading = page.querySelector('h1')?.textContent ?? ''
  let title = document.title.replace(prefix, '')
  // What the page began with is no refusal of its form, unless the server says so.
  const beginning = title === document.title ? alertOf(page) : ''

  const follow = () => {
    const now = headingOf()
    if (now !== heading) title = now.includes(appName) ? now : `${now} · ${appName}`
    heading = now
    const alert = alertOf(page)
    const isRefused = page.querySelector('[aria-invalid=true]') !== null || (alert !== '' && alert !== beginning)
    const wanted = isRefused ? prefix + title : title
    if (document.title !== wanted) document.title = wanted
  }
  const changes = { childList: true, characterData: true, subtree: true, attributeFilter: ['aria-invalid'] }
  new MutationObserver(follow).observe(page, changes)
}

/** What the alert above a form says; nothing on a page that has no form left to send. */
function alertOf(page: Element): string {
  const alert = page.querySelector('[role=alert]')
  return alert?.closest('[data-tg-screen]')?.querySelector('form') ? (alert.textContent ?? '') : ''
}
