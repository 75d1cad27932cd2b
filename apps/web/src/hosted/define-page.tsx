import { type ClientOptions, createEntranceClient, createTollgateClient, type EntranceClient } from '@tollgate/client'
import type { PageData, PageScript, PageStyle, RenderedPage } from '@tollgate/contract/pages'
import { type Messages, type messageGroups, messagesFor, type PageMessages } from '@tollgate/react'
import type { ComponentType } from 'react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { type PageTexts, pageTexts } from './texts.ts'

/** A page's data with all texts of its language. */
export type Given<Data extends PageData = PageData> = {
  readonly data: Data
  readonly messages: Messages
  readonly texts: PageTexts
}

/** Draws one page from its data and all texts of its language. */
export type DrawPage = (data: PageData, messages: Messages) => Pick<RenderedPage, 'html' | 'script' | 'style' | 'title'>

/** Pages that share a component. */
type Row<Data extends PageData> = {
  readonly style: PageStyle
  /** The title of the browser's tab, from the page's heading. Default: the heading. */
  readonly title?: (heading: string, data: Data) => string
}

/** The props of every page that hydrates in the browser. */
type LiveProps = { data: PageData; messages: PageMessages; client: EntranceClient }

type LiveRow<Props extends LiveProps> = Row<Props['data']> & {
  readonly component: ComponentType<Props>
  /** The pages, each with the components whose texts it loads. */
  readonly pages: Readonly<Record<Props['data']['page'], readonly (keyof typeof messageGroups)[]>>
  /** The bundle that hydrates the page. */
  readonly entry: PageScript
  /** The client that the page has in the browser. A component that needs more of it fails on the server already. */
  readonly client: (data: PageData) => Props['client']
  /** The further props, for the server and the browser. */
  readonly props?: (given: Given<Props['data']>) => Omit<Props, keyof LiveProps>
  /** Props for the server alone, because the browser finds in the page what they draw. */
  readonly drawn?: (given: Given<Props['data']>) => Partial<Props>
}

/** Draws pages that hydrate in the browser. */
export function definePage<Props extends LiveProps>(
  row: LiveRow<Props>,
): Readonly<Record<Props['data']['page'], DrawPage>> {
  const { component: Page, entry, pages } = row
  return everyPage<Props['data']>(Object.keys(pages), row, (given) => {
    const { data, messages } = given
    const page: Props['data']['page'] = data.page
    // Whether a form carries a captcha is a setting of the server.
    const used = messagesFor(messages, ...pages[page], ...(data.captcha ? (['Captcha'] as const) : []))
    const props = { data, messages: used, ...row.props?.(given) }
    const all = { ...props, ...row.drawn?.(given), client: row.client(data) } as Props // `props` makes the further ones
    return { html: renderToString(<Page {...all} />), script: { entry, props } }
  })
}

/** The props of every page without a script; some also take the pages' own texts. */
type StillProps = { data: PageData; messages: Messages; client: EntranceClient; texts?: PageTexts }

type StillRow<Props extends StillProps> = Row<Props['data']> & {
  readonly component: ComponentType<Props>
  readonly pages: readonly Props['data']['page'][]
}

/** Draws pages for which the browser loads no script. */
export function defineStillPage<Props extends StillProps>(
  row: StillRow<Props>,
): Readonly<Record<Props['data']['page'], DrawPage>> {
  const { component: Page } = row
  return everyPage<Props['data']>(row.pages, row, (given) => {
    const all = { ...given, client: entranceOf(given.data) } as Props // its own data, and what all of them take
    return { html: renderToStaticMarkup(<Page {...all} />) }
  })
}

function everyPage<Data extends PageData>(
  names: readonly string[],
  { style, title = (heading) => heading }: Row<Data>,
  draw: (given: Given<Data>) => Pick<RenderedPage, 'html' | 'script'>,
): Readonly<Record<Data['page'], DrawPage>> {
  const drawPage: DrawPage = (any, messages) => {
    const data = any as Data // its name chose the row
    const drawn = draw({ data, messages, texts: pageTexts[data.locale] })
    return { ...drawn, style, title: titled(title(headingOf(drawn.html), data), data, messages) }
  }
  return Object.fromEntries(names.map((name) => [name, drawPage])) as Record<Data['page'], DrawPage> // exactly these
}

/** The title with the name of the application. A refused form says so first, because the title is read before the page. */
function titled(heading: string, { appName, state }: PageData, { common }: Messages): string {
  const marked = state?.code || state?.fields ? `${common.refused}: ${heading}` : heading
  return marked.includes(appName) ? marked : `${marked} · ${appName}`
}

/** The text of a page's first heading. */
function headingOf(html: string): string {
  const [, heading = ''] = /<h1\b[^>]*>(.*?)<\/h1>/s.exec(html) ?? []
  return heading.replaceAll(/<[^>]*>/g, '').replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (name) => characters[name] ?? name)
}

/** What React writes in place of the characters that mean something in HTML. */
const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

/** The client of signed-in pages. While the server draws a page, it calls nothing and holds only what is known. */
export const clientOf = (data: PageData) => createTollgateClient(known(data))

/** The client of the pages that sign visitors in. */
export const entranceOf = (data: PageData) => createEntranceClient(known(data))

const known = (data: PageData): ClientOptions => ({
  basePath: data.basePath,
  ...('session' in data ? { initialSession: data.session } : {}),
  ...('organizations' in data ? { initialOrganizations: data.organizations } : {}),
})
