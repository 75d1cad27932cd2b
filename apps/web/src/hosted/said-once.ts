/** What a form has done, or why a redirect failed, is said once: a reload shows the page as it is. */
export function sayOnce(): void {
  const address = new URL(location.href)
  const names = ['done', 'count', 'error', 'error_description'].filter((name) => address.searchParams.has(name))
  if (names.length === 0) return
  for (const name of names) address.searchParams.delete(name)
  history.replaceState(history.state, '', address)
}
