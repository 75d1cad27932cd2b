import { escapeHtml } from '../../foundation/html.ts'
import { commonHead } from '../document.ts'
import { guides } from './guides.ts'
import type { Reference, ReferenceGroup } from './reference.ts'
import { titleOf } from './titles.ts'

/** The files of the web build that every page of the reference loads. */
export type ReferenceFiles = { readonly style: string; readonly script: string; readonly fonts: readonly string[] }

export type ReferencePage = {
  readonly title: string
  /** The address of the page below `/docs`, without a slash before it. */
  readonly name: string
  readonly text: string
  /** The third pane; absent for pages of prose. */
  readonly aside?: string
}

/** A whole document in three panes: the tree of pages with its search, the text, and the samples. */
export function layout(
  reference: Reference,
  files: ReferenceFiles,
  scheme: 'light' | 'dark' | undefined,
  { title, name, text, aside }: ReferencePage,
): string {
  const whole = name === '' ? reference.title : `${title} · ${reference.title}`
  return `<!doctype html>
<html lang="en" dir="ltr" data-tg="root"${scheme ? ` data-scheme="${scheme}"` : ''}>
<head>
${commonHead(whole, scheme)}
<link rel="stylesheet" href="${files.style}">
${files.fonts.map((href) => `<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin>`).join('\n')}
<script type="module" src="${files.script}"></script>
</head>
<body class="reference${aside ? '' : ' prose'}" data-base-path="${escapeHtml(reference.basePath)}">
<a class="skip" href="#text">Skip to the text</a>
<header class="bar"><a class="brand" href="/docs">${escapeHtml(reference.title)}</a><span class="who" id="who"></span></header>
<nav class="tree" aria-label="Reference">
<details class="menu"><summary>Menu</summary>
<div class="pages">
<search class="find"><label for="find">Search</label><input id="find" type="search" autocomplete="off" spellcheck="false" placeholder="Search calls and guides" aria-describedby="found"><p id="found" role="status"></p></search>
<ul class="guides">${Object.entries(guides)
    .map(([path, guide]) => `<li>${link(path, guide.title, name)}</li>`)
    .join('')}</ul>
${tree('Accounts and organizations', reference.groups.auth, name)}
${tree('Billing', reference.groups.billing, name)}
</div></details>
</nav>
<main id="text" class="text" tabindex="-1"><h1>${escapeHtml(title)}</h1>${text}</main>
${aside ? `<aside class="samples" aria-label="Samples">${aside}</aside>` : ''}
</body>
</html>
`
}

const link = (path: string, text: string, current: string, extra = ''): string =>
  `<a href="/docs${path && `/${path}`}"${path === current ? ' aria-current="page"' : ''}${extra}>${escapeHtml(text)}</a>`

function tree(name: string, groups: readonly ReferenceGroup[], current: string): string {
  if (groups.length === 0) return ''
  const items = groups.map(
    ({ name: group, calls }) =>
      `<details${calls.some(({ id }) => id === current) ? ' open' : ''}><summary>${escapeHtml(group)}</summary><ul>${calls
        .map(
          ({ id, method, path }) =>
            `<li>${link(id, titleOf(id), current, ` data-find="${escapeHtml(`${id} ${method} ${path}`)}"`)}</li>`,
        )
        .join('')}</ul></details>`,
  )
  return `<h2>${name}</h2>${items.join('')}`
}
