import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import type { DashboardRenderer, DrawnDashboard } from '@tollgate/contract/pages'
import { renderToString } from 'react-dom/server'
import { createDashboardContext } from './context.ts'
import { Dashboard } from './frame.tsx'
import { createDashboardRouter } from './router.tsx'
import { setViewerZone } from './zone.ts'

/** What a page asks for may depend on what it was told before, such as an organization's first order. */
const mostRounds = 4

/**
 * Draws the first picture of a dashboard page with its data, so that it is seen before its script is there. Each round
 * renders the page, and reads what its components asked for. Answers undefined for an address that leads elsewhere.
 */
export const draw: DashboardRenderer['draw'] = async ({ props, address, nonce, ask }) => {
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  })
  const openQueries = noteAsked(queries)
  const context = createDashboardContext(props, queries, ask)
  const router = createDashboardRouter(context, createMemoryHistory({ initialEntries: [address] }))
  await router.load()
  if (router.state.matches.length === 0) return undefined

  const render = () => {
    // Rendering is one step, so no other page can set its zone meanwhile.
    setViewerZone(props.zone)
    return renderToString(<Dashboard props={props} queries={queries} router={router} nonce={nonce} />)
  }
  let html = render()
  for (let round = 0; round < mostRounds; round += 1) {
    const open = openQueries()
    if (open.length === 0) break
    // What fails here is asked for again by the browser, which says so.
    await Promise.allSettled(open)
    html = render()
  }
  return { ...withoutStyleAttributes(html), data: answersOf(queries) }
}

/**
 * The queries that components have asked for and that have no answer yet. Their options are noted when a component asks,
 * because the cache keeps only those of the last one, which may have asked for what is cached already and no more.
 */
function noteAsked(queries: QueryClient): () => Promise<unknown>[] {
  const asked = new Map<string, () => Promise<unknown>>()
  const complete = queries.defaultQueryOptions.bind(queries)
  queries.defaultQueryOptions = (options) => {
    const completed = complete(options)
    const { enabled, queryFn, queryHash } = completed
    if (enabled !== false && queryFn) asked.set(queryHash, () => queries.fetchQuery(completed as never)) // of any answer
    return completed
  }
  return () => {
    const open = queries
      .getQueryCache()
      .getAll()
      .filter(({ state }) => state.status === 'pending')
    return open.flatMap(({ queryHash }) => asked.get(queryHash)?.() ?? [])
  }
}

const answersOf = (queries: QueryClient): DrawnDashboard['data'] =>
  queries
    .getQueryCache()
    .getAll()
    .flatMap(({ queryKey, state }) => (state.status === 'success' ? [[queryKey, state.data] as const] : []))

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/**
 * Moves style attributes, which the content security policy refuses in a document, into rules for the document's own
 * style sheet. React escapes quotes in texts, so only attributes match.
 */
function withoutStyleAttributes(html: string): { html: string; style: string } {
  const names = new Map<string, number>()
  const drawn = html.replace(/ style="([^"]*)"/g, (_, escaped: string) => {
    const declarations = escaped.replace(/&(\w+|#x27);/g, (entity, name: string) => entities[name] ?? entity)
    // A value that could end the rule or the element is for the browser to set.
    if (/[<{}]/.test(declarations)) return ''
    const name = names.get(declarations) ?? names.size
    names.set(declarations, name)
    return ` data-drawn="${name}"`
  })
  const rules = [...names].map(([declarations, name]) => `[data-drawn="${name}"]{${declarations}}`)
  return { html: drawn, style: rules.join('') }
}
