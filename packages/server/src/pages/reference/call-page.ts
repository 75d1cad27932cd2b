import { escapeHtml } from '../../foundation/html.ts'
import type { Operation } from '../../foundation/http/openapi.ts'
import type { ReferencePage } from './layout.ts'
import type { Reference, ReferenceCall } from './reference.ts'
import { sampleOf } from './sample-values.ts'
import { answerOf, isOfCustomer, samplesOf, valuesOf } from './samples.ts'
import { marked, memberList, typeHtml } from './schema.ts'
import { titleOf } from './titles.ts'

/** The page of one call. */
export function callPage(reference: Reference, call: ReferenceCall): ReferencePage {
  const { operation } = call
  return {
    title: titleOf(call.id),
    name: call.id,
    text: [
      `<p class="call"><span class="method">${call.method}</span> <code>${escapeHtml(call.path).replaceAll('/', '/<wbr>')}</code></p>`,
      `<p class="summary">${marked(operation.summary)}</p>`,
      `<p class="access">${access(operation)}</p>`,
      ...(['path', 'query', 'header'] as const).map((place) => parameters(reference, operation, place)),
      body(reference, operation),
      answers(reference, operation),
      refusals(operation),
    ].join('\n'),
    aside: aside(reference, call),
  }
}

/** The page of a shape that many answers hold. */
export function shapePage({ shapes }: Reference, name: string): ReferencePage {
  const schema = shapes.get(name) ?? {}
  const list = memberList(schema, 'output', shapes)
  return {
    title: name,
    name: `shapes/${name}`,
    text: list || `<p>${typeHtml(schema, shapes)}</p>`,
    aside: `<h2>Sample</h2><pre tabindex="0" aria-label="Sample of ${name}"><code>${escapeHtml(JSON.stringify(sampleOf(schema, shapes, { io: 'output', owner: name, isBilling: true, within: [name] }), null, 2))}</code></pre>`,
  }
}

/** The callers that a call allows. */
function access({ security }: Operation): string {
  if (!security) return 'Anyone can make this call.'
  const scopes = security.flatMap(({ token = [] }) => token)
  if (isOfCustomer(security)) return 'Needs the token of a customer’s portal session.'
  if (!security.some(({ token }) => token !== undefined)) return 'Needs a session.'
  const needed = scopes.map((scope) => `<code>${escapeHtml(scope)}</code>`).join(', ')
  return `Needs an access token${needed && ` with ${needed}`}, or a session. <a href="/docs/authentication">Authentication</a>`
}

const placeNames = { path: 'Path', query: 'Query', header: 'Headers' } as const

function parameters({ shapes }: Reference, operation: Operation, place: 'path' | 'query' | 'header'): string {
  const own = operation.parameters.filter((parameter) => parameter.in === place)
  if (own.length === 0) return ''
  const schema = {
    properties: Object.fromEntries(
      own.map(({ name, description, schema: given }) => [
        name,
        description === undefined ? given : { ...given, description },
      ]),
    ),
    required: own.filter(({ required }) => required).map(({ name }) => name),
  }
  return `<h2>${placeNames[place]}</h2>${memberList(schema, 'input', shapes)}`
}

function body({ shapes }: Reference, { requestBody }: Operation): string {
  if (!requestBody) return ''
  const schema = requestBody.content['application/json']?.schema
  return `<h2>Body</h2>${schema ? memberList(schema, 'input', shapes) || '<p>An empty object.</p>' : '<p>The bytes of the file.</p>'}`
}

function answers({ shapes }: Reference, { responses }: Operation): string {
  const shown = Object.entries(responses)
    .filter(([status]) => status < '400')
    .map(([status, { description, content }]) => {
      const schema = content?.['application/json']?.schema
      return `<p><strong>${status}</strong> ${marked(description)}${schema ? ` ${`<span class="type">${typeHtml(schema, shapes)}</span>`}` : ''}</p>${schema ? memberList(schema, 'output', shapes) : ''}`
    })
  return `<h2>Response</h2>${shown.join('')}`
}

function refusals({ responses }: Operation): string {
  const rows = Object.entries(responses)
    .filter(([status]) => status >= '400')
    .map(([status, { description }]) => `<dt>${status}</dt><dd><p>${marked(description)}</p></dd>`)
  return rows.length > 0 ? `<h2>Errors</h2><dl class="members">${rows.join('')}</dl>` : ''
}

function aside(reference: Reference, call: ReferenceCall): string {
  const samples = samplesOf(reference, call)
  const answer = answerOf(reference, call)
  const shown = answer === undefined ? '' : escapeHtml(JSON.stringify(answer, null, 2))
  const choices = samples.map(
    ({ id, name }, index) =>
      `<label><input type="radio" name="language" value="${id}"${index === 0 ? ' checked' : ''}><span>${name}</span></label>`,
  )
  const texts = samples.map(
    ({ id, name, html }) =>
      `<div class="sample" data-language="${id}"><pre tabindex="0" aria-label="Request with ${name}"><code>${html}</code></pre></div>`,
  )
  return `<h2>Request</h2>
<fieldset class="languages"><legend class="hidden">Language</legend>${choices.join('')}</fieldset>
${texts.join('\n')}
${shown && `<h2>Response</h2><pre tabindex="0" aria-label="Sample response"><code>${shown}</code></pre>`}
${tryForm(reference, call)}`
}

/** Sends the call from the page. It needs JavaScript, and is hidden without it. */
function tryForm(reference: Reference, call: ReferenceCall): string {
  const { method, path, operation } = call
  const schema = operation.requestBody?.content['application/json']?.schema
  const tokenField = isOfCustomer(operation.security)
    ? 'Customer session token <span class="type">kept in this tab</span>'
    : operation.security?.some(({ token }) => token) &&
      'Access token <span class="type">kept in this tab; without one your session is used</span>'
  const fields = operation.parameters.map(
    ({ name, in: place, required }) =>
      `<label>${escapeHtml(name)}${required ? ' <span class="required">required</span>' : ''}<input name="${escapeHtml(name)}" data-place="${place}" autocomplete="off" spellcheck="false"></label>`,
  )
  const sample = schema && JSON.stringify(valuesOf(reference, call).body, null, 2)
  return `<details class="try"><summary>Send this call</summary>
<form data-method="${method}" data-path="${escapeHtml(path)}">
${tokenField ? `<label>${tokenField}<input id="token" type="password" autocomplete="off" spellcheck="false"></label>` : ''}
${fields.join('')}
${sample ? `<label>Body<textarea name="body" rows="8" spellcheck="false">${escapeHtml(sample)}</textarea></label>` : ''}
<button>Send</button>
<pre role="status" tabindex="0" aria-label="Response to your request" hidden></pre>
</form></details>`
}
