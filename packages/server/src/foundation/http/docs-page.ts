import { escapeHtml } from '../html.ts'
import type { Operation, openApi } from './openapi.ts'

type Description = ReturnType<typeof openApi>

/** The page at `/docs`: every call, readable without JavaScript; with it, readers can try each one. */
export function docsPage(description: Description, nonce: string): string {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const groups = Object.entries(Object.groupBy(operations, ({ operation }) => operation.tags[0] ?? '')).map(
    ([name, members = []]) => ({ name, members }),
  )
  const hasTokens = 'token' in description.components.securitySchemes
  const title = escapeHtml(description.info.title)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style nonce="${nonce}">${styles}</style>
</head>
<body>
<header><h1>${title}</h1><p>${operations.length} calls. The same as data: <a href="/openapi.json">openapi.json</a>. Calls you try here run against this server, with your session.</p>${hasTokens ? tokenField : ''}</header>
<nav aria-label="Calls">${groups.map(links).join('')}</nav>
<main>${groups.map(group).join('')}</main>
<script src="/docs.js"></script>
</body>
</html>`
}

type Call = { readonly path: string; readonly method: string; readonly operation: Operation }
type Group = { readonly name: string; readonly members: readonly Call[] }

const tokenField = `<form class="try"><label>Access token, for calls that take one; without it your session counts
<input id="token" type="password" autocomplete="off" spellcheck="false"></label></form>`

const links = ({ name, members }: Group): string =>
  `<details><summary>${escapeHtml(name)}</summary><ul>${members
    .map(({ operation: { operationId } }) => `<li><a href="#${operationId}">${operationId}</a></li>`)
    .join('')}</ul></details>`

const group = ({ name, members }: Group): string => `<h2>${escapeHtml(name)}</h2>${members.map(section).join('')}`

/** The callers that a restricted call allows. */
function access({ security }: Operation): string {
  if (!security) return ''
  const scopes = security.flatMap(({ token = [] }) => token)
  const isByToken = security.some(({ token }) => token !== undefined)
  if (!isByToken) return ' <span>needs a session</span>'
  return ` <span>needs a token${scopes.map((scope) => ` with <code>${escapeHtml(scope)}</code>`).join('')}, or a session</span>`
}

function section({ path, method, operation }: Call): string {
  const id = operation.operationId
  return `<section id="${id}" aria-labelledby="${id}-title" data-method="${method}" data-path="${escapeHtml(path)}">
<h3 id="${id}-title">${id}</h3>
<p class="call"><code>${method} ${escapeHtml(path)}</code>${access(operation)}</p>
<p>${escapeHtml(operation.summary)}</p>
${
  operation.parameters.length > 0
    ? table(
        'Parameters',
        operation.parameters.map(({ name, in: place, required }) => [name, `${place}${required ? ', required' : ''}`]),
      )
    : ''
}
<details><summary>Answers of ${id}</summary>${answers(operation)}</details>
<form class="try">
${operation.parameters.map(({ name, in: place }) => `<label>${escapeHtml(name)}<input name="${escapeHtml(name)}"${place === 'header' ? ' data-header' : ''} autocomplete="off" spellcheck="false"></label>`).join('')}
${operation.requestBody?.content['application/json'] ? `<label>Body (JSON)<textarea name="body" rows="6" spellcheck="false">${escapeHtml(JSON.stringify(example(operation), null, 2))}</textarea></label>` : ''}
<button>Send ${method} ${escapeHtml(path)}</button>
<pre role="status" tabindex="0" aria-label="Answer of ${id}" hidden></pre>
</form>
</section>`
}

function answers(operation: Operation): string {
  return table(
    'Answers',
    Object.entries(operation.responses).map(([status, { description }]) => [status, description]),
  )
}

function table(caption: string, rows: readonly (readonly [string, string])[]): string {
  const cells = rows.map(([head, text]) => `<tr><th scope="row">${escapeHtml(head)}</th><td>${lines(text)}</td></tr>`)
  return `<table><caption>${caption}</caption><tbody>${cells.join('')}</tbody></table>`
}

/** The description's Markdown has only code marks and line breaks. */
const lines = (text: string): string =>
  escapeHtml(text)
    .replaceAll('  \n', '<br>')
    .replace(/`([^`]*)`/g, '<code>$1</code>')

/** A sample body: every required member, empty. */
function example({ requestBody }: Operation): Record<string, unknown> {
  const { properties = {}, required = [] } = requestBody?.content['application/json']?.schema ?? {}
  return Object.fromEntries(required.map((name) => [name, properties[name]?.type === 'boolean' ? false : '']))
}

const styles = `
:root{color-scheme:light dark;--paper:light-dark(#fbfaf7,#0b1213);--surface:light-dark(#fff,#12191b);--ink:light-dark(#131c1e,#f1f0ec);--ink-2:light-dark(#4a5557,#adb6b7);--line:light-dark(#e1e0db,#252d2f);--line-strong:light-dark(#808889,#606b6d);--accent:light-dark(#007277,#6cd1d1);--action:light-dark(#152224,#f1f0ec);--on-action:light-dark(#fcfcf9,#101819)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1080px;padding:32px 20px;background:var(--paper);color:var(--ink);font:15px/22px system-ui,sans-serif;display:grid;grid-template-columns:minmax(0,200px) minmax(0,1fr);gap:24px 40px}
header{grid-column:1/-1}
h1{font-size:24px;line-height:29px;margin:0 0 8px}h2{font-size:20px;line-height:25px;margin:24px 0 12px}h2:first-child{margin-top:0}h3{font-size:17px;line-height:22px;margin:0}
nav{position:sticky;top:20px;align-self:start;max-height:calc(100vh - 40px);overflow:auto}nav ul{list-style:none;margin:0 0 8px;padding:0 0 0 12px}nav a{display:block;padding:4px 0;overflow-wrap:anywhere}
a{color:var(--accent)}
section{background:var(--surface);border:1px solid var(--line);border-radius:12px;padding:20px;margin:0 0 16px;overflow-wrap:anywhere}
code,pre,textarea{font:13px/18px ui-monospace,monospace}
.call span{color:var(--ink-2);font-size:13px;margin-inline-start:8px}
table{border-collapse:collapse;width:100%;margin:8px 0}caption{text-align:start;color:var(--ink-2);font-size:13px}
th,td{text-align:start;vertical-align:top;padding:6px 12px 6px 0;border-top:1px solid var(--line);font-weight:400}
label{display:block;margin:12px 0;font-size:13px}input,textarea{display:block;width:100%;margin-top:4px;padding:8px;border:1px solid var(--line-strong);border-radius:7px;background:var(--surface);color:var(--ink)}
button{min-height:32px;padding:6px 16px;border:0;border-radius:7px;background:var(--action);color:var(--on-action);font:inherit;cursor:pointer;max-width:100%}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
pre{white-space:pre-wrap;border-inline-start:3px solid var(--accent);padding-inline-start:12px}
summary{cursor:pointer;padding:4px 0}
@media(scripting:none){.try{display:none}}
@media(max-width:767px){body{grid-template-columns:minmax(0,1fr)}nav{position:static;max-height:none}nav ul{columns:2}}
`

/** Served at `/docs.js`: sends the forms. The style sheet hides them without JavaScript. */
export const docsScript = `document.querySelector('#token')?.form.addEventListener('submit', (event) => event.preventDefault())
for (const section of document.querySelectorAll('section[data-path]')) {
  const form = section.querySelector('form')
  const output = form.querySelector('pre')
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const values = new FormData(form)
    const body = values.get('body')
    values.delete('body')
    const query = new URLSearchParams()
    const headers = {}
    const token = document.querySelector('#token')?.value
    if (token) headers.authorization = 'Bearer ' + token
    let path = section.dataset.path
    for (const [name, value] of values) {
      if (form.elements[name].dataset?.header !== undefined) {
        if (value) headers[name] = value
      } else if (path.includes('{' + name + '}')) path = path.replace('{' + name + '}', encodeURIComponent(value))
      else if (value) query.set(name, value)
    }
    const target = path + (query.size ? '?' + query : '')
    output.hidden = false
    output.textContent = 'Sending'
    try {
      const { method } = section.dataset
      const hasBody = method === 'POST' || body !== null
      if (hasBody) headers['content-type'] = 'application/json'
      const answer = await fetch(target, { method, headers, body: hasBody ? (body ?? '{}') : undefined })
      const text = await answer.text()
      let shown = text
      try {
        shown = JSON.stringify(JSON.parse(text), null, 2)
      } catch {
        // Not JSON: shown as it came.
      }
      output.textContent = answer.status + ' ' + answer.statusText + (answer.redirected ? ' (led to ' + answer.url + ')' : '') + '\\n' + shown.slice(0, 5000)
    } catch (error) {
      output.textContent = String(error)
    }
  })
}
`
