/** A form's outcome or a failed redirect is shown once: a reload shows the plain page. */
export function sayOnce(): void {
  const address = new URL(location.href)
  const names = ['done', 'count', 'error', 'error_description'].filter((name) => address.searchParams.has(name))
  if (names.length === 0) return
  for (const name of names) address.searchParams.delete(name)
  history.replaceState(history.state, '', address)
}
