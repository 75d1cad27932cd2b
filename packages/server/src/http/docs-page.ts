import { escapeHtml } from '../html.ts'
import type { Operation, openApi } from './openapi.ts'

type Description = ReturnType<typeof openApi>

/** The page at `/docs`: every call, readable without JavaScript; with it, each can be tried against this server. */
export function docsPage(description: Description, nonce: string): string {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
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
<header><h1>${title}</h1><p>${operations.length} calls. The same as data: <a href="/openapi.json">openapi.json</a>. Calls you try here run against this server, with your session.</p></header>
<nav aria-label="Calls"><ul>${operations.map(({ operation }) => `<li><a href="#${operation.operationId}">${operation.operationId}</a></li>`).join('')}</ul></nav>
<main>${operations.map(section).join('')}</main>
<script src="/docs.js"></script>
</body>
</html>`
}

function section({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const id = operation.operationId
  return `<section id="${id}" aria-labelledby="${id}-title" data-method="${method}" data-path="${escapeHtml(path)}">
<h2 id="${id}-title">${id}</h2>
<p class="call"><code>${method} ${escapeHtml(path)}</code>${operation.security ? ' <span>needs a session</span>' : ''}</p>
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
${operation.parameters.map(({ name }) => `<label>${escapeHtml(name)}<input name="${escapeHtml(name)}" autocomplete="off" spellcheck="false"></label>`).join('')}
${operation.requestBody ? `<label>Body (JSON)<textarea name="body" rows="6" spellcheck="false">${escapeHtml(JSON.stringify(example(operation), null, 2))}</textarea></label>` : ''}
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

/** The description's Markdown is only code marks and line breaks. */
const lines = (text: string): string =>
  escapeHtml(text)
    .replaceAll('  \n', '<br>')
    .replace(/`([^`]*)`/g, '<code>$1</code>')

/** A body to start from: every required member, empty. */
function example({ requestBody }: Operation): Record<string, unknown> {
  const { properties = {}, required = [] } = requestBody?.content['application/json'].schema ?? {}
  return Object.fromEntries(required.map((name) => [name, properties[name]?.type === 'boolean' ? false : '']))
}

const styles = `
:root{color-scheme:light dark;--paper:light-dark(#fbfaf7,#0b1213);--surface:light-dark(#fff,#12191b);--ink:light-dark(#131c1e,#f1f0ec);--ink-2:light-dark(#4a5557,#adb6b7);--line:light-dark(#e1e0db,#252d2f);--line-strong:light-dark(#808889,#606b6d);--accent:light-dark(#007277,#6cd1d1);--action:light-dark(#152224,#f1f0ec);--on-action:light-dark(#fcfcf9,#101819)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1080px;padding:32px 20px;background:var(--paper);color:var(--ink);font:15px/22px system-ui,sans-serif;display:grid;grid-template-columns:minmax(0,200px) minmax(0,1fr);gap:24px 40px}
header{grid-column:1/-1}
h1{font-size:24px;line-height:29px;margin:0 0 8px}h2{font-size:20px;line-height:25px;margin:0}
nav ul{list-style:none;margin:0;padding:0;position:sticky;top:20px}nav a{display:block;padding:4px 0;overflow-wrap:anywhere}
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
@media(max-width:767px){body{grid-template-columns:minmax(0,1fr)}nav ul{position:static;columns:2}}
`

/** Served at `/docs.js`: sends what is in the forms, which the style sheet hides where no script runs. */
export const docsScript = `for (const section of document.querySelectorAll('section[data-path]')) {
  const form = section.querySelector('form')
  const output = form.querySelector('pre')
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const values = new FormData(form)
    const body = values.get('body')
    values.delete('body')
    const query = new URLSearchParams()
    let path = section.dataset.path
    for (const [name, value] of values) {
      if (path.includes('{' + name + '}')) path = path.replace('{' + name + '}', encodeURIComponent(value))
      else if (value) query.set(name, value)
    }
    const target = path + (query.size ? '?' + query : '')
    output.hidden = false
    output.textContent = 'Sending'
    try {
      const isPost = section.dataset.method === 'POST'
      const answer = await fetch(target, {
        method: section.dataset.method,
        headers: isPost ? { 'content-type': 'application/json' } : {},
        body: isPost ? (body ?? '{}') : undefined,
      })
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
