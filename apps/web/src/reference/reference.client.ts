/** What pages of the API reference do with JavaScript. Without it every page reads the same, and every link works. */
openAddressOfOldPage()
shapeTree()
findPages()
rememberLanguage()
const tokenOf = tokenField()
sendCalls()
void recognize()
// The reader may have signed out in another tab, or come back to a page that the browser had put aside.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) void recognize()
})
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void recognize()
})

/** One page used to have all calls: `/docs#createCheckout`. */
function openAddressOfOldPage(): void {
  if (location.pathname !== '/docs') return
  const name = textOf(location.hash.slice(1))
  if (!name) return
  const known = [...document.querySelectorAll<HTMLAnchorElement>('.tree a')].find(
    (link) => link.pathname === `/docs/${name}`,
  )
  if (known) location.replace(known.href)
}

/** A hash may hold any characters: what is no encoded text names no call. */
function textOf(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return ''
  }
}

/** The tree stands open beside the text; on a telephone it is closed until its button opens it, and covers the page. */
function shapeTree(): void {
  const menu = document.querySelector<HTMLDetailsElement>('.menu')
  const nav = document.querySelector<HTMLElement>('.tree')
  if (!menu || !nav) return
  const wide = matchMedia('(min-width: 768px)')
  const adapt = () => {
    menu.open = wide.matches
  }
  adapt()
  wide.addEventListener('change', adapt)
  menu.addEventListener('toggle', () => {
    document.body.classList.toggle('covered', menu.open && !wide.matches)
  })
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || wide.matches) return
    menu.open = false
    menu.querySelector('summary')?.focus()
  })
  const current = nav.querySelector<HTMLElement>('[aria-current]')
  if (current && wide.matches) nav.scrollTop = current.offsetTop - nav.clientHeight / 3
}

/** Filters the tree while the reader types, by the names and the paths of calls. */
function findPages(): void {
  const field = document.querySelector<HTMLInputElement>('#find')
  const found = document.querySelector('#found')
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.tree a')]
  const groups = [...document.querySelectorAll<HTMLDetailsElement>('.tree details details')]
  const openAtFirst = new Set(groups.filter(({ open }) => open))
  if (!field || !found) return
  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    let count = 0
    for (const link of links) {
      const group = link.closest('details')?.querySelector('summary')?.textContent ?? ''
      const text = `${link.textContent} ${link.dataset.find ?? ''} ${group}`.toLowerCase()
      const fits = words.every((word) => text.includes(word))
      if (fits) count += 1
      link.parentElement?.toggleAttribute('hidden', !fits)
    }
    for (const group of groups) {
      group.hidden = group.querySelector('li:not([hidden])') === null
      group.open = words.length > 0 ? !group.hidden : openAtFirst.has(group)
    }
    found.textContent = words.length === 0 ? '' : count === 1 ? '1 page' : `${count} pages`
  }
  field.addEventListener('input', filter)
  field.addEventListener('keydown', (event) => {
    const first = links.find((link) => link.parentElement?.hidden === false)
    if (event.key === 'Enter' && field.value && first) location.assign(first.href)
  })
  document.addEventListener('keydown', (event) => {
    const { target } = event
    const writes = target instanceof HTMLElement && /^(?:INPUT|TEXTAREA)$/.test(target.tagName)
    if (event.key !== '/' || writes || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const menu = document.querySelector<HTMLDetailsElement>('.menu')
    if (menu) menu.open = true
    field.focus()
  })
}

/** The language of the samples stays chosen from page to page. */
function rememberLanguage(): void {
  const key = 'tollgate_reference_language'
  const choices = [...document.querySelectorAll<HTMLInputElement>('input[name=language]')]
  const kept = choices.find(({ value }) => value === localStorage.getItem(key))
  if (kept) kept.checked = true
  for (const choice of choices) choice.addEventListener('change', () => localStorage.setItem(key, choice.value))
}

type Session = { readonly user: { readonly id: string; readonly email: string } }

/**
 * The reader's token: it stands in the samples, and stays in this tab from page to page while the same user is signed in.
 * A visitor's token stays on its page, because the next person at this browser would be a visitor as well.
 */
function tokenField(): (session: Session | undefined) => void {
  const key = 'tollgate_reference_token'
  const field = document.querySelector<HTMLInputElement>('#token')
  const places = [...document.querySelectorAll<HTMLElement>('[data-token]')].map((place): [HTMLElement, string] => [
    place,
    place.textContent ?? '',
  ])
  /** Whose page this is; undefined before the server has said it. */
  let reader: { readonly userId: string | undefined } | undefined
  const show = (token: string) => {
    for (const [place, unset] of places) {
      const isShell = place.dataset.token === 'shell'
      // In a shell the token stands between double quotes.
      const written = isShell ? token.replace(/["$`\\]/g, '\\$&') : `'${token.replace(/['\\]/g, '\\$&')}'`
      place.textContent = token ? written : unset
    }
    if (field && field.value.trim() !== token) field.value = token
  }
  const keep = () => {
    const token = field?.value.trim() ?? ''
    if (token && reader?.userId) sessionStorage.setItem(key, JSON.stringify({ userId: reader.userId, token }))
    else sessionStorage.removeItem(key)
  }
  field?.addEventListener('input', () => {
    show(field.value.trim())
    if (reader) keep()
  })
  // A browser may put the page aside and show it to the next visitor.
  addEventListener('pagehide', () => {
    if (!reader?.userId) show('')
  })
  return (session) => {
    const userId = session?.user.id
    const isFirst = !reader
    if (reader && reader.userId !== userId) show('')
    reader = { userId }
    const kept = keptIn(sessionStorage.getItem(key))
    const own = userId !== undefined && kept?.userId === userId ? kept : undefined
    if (!own) sessionStorage.removeItem(key)
    // What the reader has typed before the server answered is newer than what was kept.
    if (isFirst && field?.value.trim()) keep()
    else if (own) show(own.token)
  }
}

/** A token with its user, as this page has written it; undefined for anything else. */
function keptIn(text: string | null): { readonly userId: string; readonly token: string } | undefined {
  try {
    const { userId, token } = JSON.parse(text ?? '{}') as { userId?: unknown; token?: unknown }
    return typeof userId === 'string' && typeof token === 'string' ? { userId, token } : undefined
  } catch {
    return undefined
  }
}

function sendCalls(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-path]'))
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void send(form)
    })
}

/** Sends the call with the reader's values, and shows the answer below the form. */
async function send(form: HTMLFormElement): Promise<void> {
  const output = form.querySelector('pre')
  const { method = 'GET', path: template = '' } = form.dataset
  if (!output) return
  const headers = new Headers()
  const query = new URLSearchParams()
  let path = template
  for (const { name, value, dataset } of form.querySelectorAll<HTMLInputElement>('input[data-place]')) {
    if (dataset.place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
    else if (value && dataset.place === 'header') headers.set(name, value)
    else if (value) query.set(name, value)
  }
  const token = form.querySelector<HTMLInputElement>('#token')?.value.trim()
  if (token) headers.set('authorization', `Bearer ${token}`)
  const body = form.querySelector('textarea')?.value ?? (method === 'POST' ? '{}' : undefined)
  if (body !== undefined) headers.set('content-type', 'application/json')

  output.hidden = false
  output.textContent = 'Sending…'
  try {
    const init = { method, headers, ...(body !== undefined && { body }) }
    const answer = await fetch(query.size > 0 ? `${path}?${query}` : path, init)
    const led = answer.redirected ? ` (redirected to ${answer.url})` : ''
    output.textContent = `${answer.status} ${answer.statusText}${led}\n${indented(await answer.text()).slice(0, 20_000)}`
  } catch (error) {
    output.textContent = `The server can’t be reached: ${String(error)}`
  }
  // The call may have signed the reader in or out.
  await recognize()
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text // not JSON: shown as it came
  }
}

/** Shows whose session a call from this page would use, and the token that this user has kept. */
async function recognize(): Promise<void> {
  const place = document.querySelector('#who')
  if (!place || !document.querySelector('form[data-path]')) return
  const { basePath = '/api/auth' } = document.body.dataset
  try {
    const answer = await fetch(`${basePath}/get-session`, { cache: 'no-store' })
    if (!answer.ok) throw new Error(`get-session answered ${answer.status}`)
    const session = ((await answer.json()) as Session | null) ?? undefined // its own answer
    place.textContent = session ? `Signed in as ${session.user.email}` : ''
    tokenOf(session)
  } catch {
    // Whose token it is stays unknown, so it is not shown.
    place.textContent = ''
  }
}
