import { escapeHtml } from '../html.ts'

/** A mail in the developer inbox. */
export interface InboxMessage {
  id: string
  to: string
  from: string
  subject: string
  text: string
  html: string
  /** The result of `extractLinks` when the mail was stored. */
  links: string[]
  /** The attached files, each with its size in bytes and its address. */
  attachments: readonly { readonly name: string; readonly size: number; readonly url: string }[]
  createdAt: Date
}

const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' }

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })

const isWebAddress = (address: string): boolean => /^https?:\/\//i.test(address) && URL.canParse(address)

/** The web addresses of a mail, each once, in the order of the HTML part; then those that only the text part has. */
export const extractLinks = (text: string, html: string): string[] => {
  const inHtml = Array.from(html.matchAll(/<a\s[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi), ([, double, single]) =>
    decodeEntities(double ?? single ?? '').trim(),
  )
  // A full stop or bracket at the end belongs to the sentence, not to the address.
  const inText = Array.from(text.matchAll(/https?:\/\/[^\s<>"]+/gi), ([address]) =>
    address.replace(/[.,;:!?)\]']+$/, ''),
  )
  return [...new Set([...inHtml, ...inText].filter(isWebAddress))]
}

/** The page's policy. `connect-src` is for the script that looks for new mail. */
export const inboxContentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "script-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    // Mails show the logos of brands.
    "img-src 'self' https: data:",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * Served as /dev/inbox.js: looks for new mail every second while the page is in view, and puts it into the list. The mail
 * that is open and the focus stay as they are.
 */
export const inboxScript = `const status = document.querySelector('[role=status]')
let known = document.querySelector('main').dataset.newest
const look = async () => {
  if (document.hidden) return
  const answer = await fetch('/dev/inbox/messages', { headers: { accept: 'application/json' } }).catch(() => undefined)
  if (!answer?.ok) return
  const newest = (await answer.json())[0]
  if ((newest?.id ?? '') === known) return
  known = newest?.id ?? ''
  const page = await fetch(location.href).catch(() => undefined)
  if (!page?.ok) return
  // Parsed under this page's policy, the other page's style sheet would be refused.
  const text = (await page.text()).replace(/<style[^]*?<\\/style>/, '')
  show(new DOMParser().parseFromString(text, 'text/html'))
  status.textContent = newest ? 'New mail: ' + newest.subject : 'The inbox was cleared.'
}
const show = (now) => {
  const focused = document.activeElement?.closest('nav a')?.getAttribute('href')
  const parts = document.querySelector('main > nav') && now.querySelector('main > nav') ? ['title', 'main > nav'] : ['title', 'main', '.tools']
  for (const part of parts) document.querySelector(part).replaceWith(now.querySelector(part))
  if (focused) document.querySelector('nav a[href="' + CSS.escape(focused) + '"]')?.focus()
}
setInterval(look, 1000)
`

const fontFace = (address: string) =>
  `@font-face{font-family:"Onest Variable";font-weight:100 900;font-display:optional;src:url("${address}") format("woff2")}`

const styleSheet = `
:root{color-scheme:light dark;
--tg-font-sans:"Onest Variable",-apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;
--tg-font-mono:"Geist Mono",ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;
--tg-paper:#fbfaf7;--tg-surface:#fff;--tg-sunken:#f4f3f0;--tg-ink:#131c1e;--tg-ink-2:#4a5557;--tg-line:#e1e0db;
--tg-line-strong:#808889;--tg-accent:#007277;--tg-action:#152224;--tg-on-action:#fcfcf9;--tg-warn:#f0b135;
--tg-r-s:4px;--tg-r-m:7px;--tg-r-l:12px}
@media (prefers-color-scheme:dark){:root{
--tg-paper:#0b1213;--tg-surface:#12191b;--tg-sunken:#070d0f;--tg-ink:#f1f0ec;--tg-ink-2:#adb6b7;--tg-line:#252d2f;
--tg-line-strong:#606b6d;--tg-accent:#6cd1d1;--tg-action:#f1f0ec;--tg-on-action:#101819;--tg-warn:#f1ba4b}}
*{box-sizing:border-box}
body{margin:0;background:var(--tg-paper);color:var(--tg-ink);font:15px/22px var(--tg-font-sans);overflow-wrap:anywhere}
.stripe{height:6px;background:repeating-linear-gradient(-45deg,var(--tg-warn) 0 10px,#131c1e 10px 20px)}
header,main,footer{max-width:1320px;margin:0 auto;padding:0 20px}
header{display:flex;flex-wrap:wrap;align-items:center;gap:8px 16px;padding-block:20px}
h1{margin:0;font-size:24px;line-height:29px;font-weight:600;letter-spacing:-.018em}
h2{margin:0 0 12px;font-size:20px;line-height:25px;font-weight:600;letter-spacing:-.012em}
h3{margin:24px 0 8px;font-size:13px;line-height:18px;font-weight:600;color:var(--tg-ink-2)}
p{margin:0 0 12px}
a{color:var(--tg-accent)}
:focus-visible{outline:2px solid var(--tg-accent);outline-offset:2px}
.note{flex-basis:100%;margin:0;font-size:13px;line-height:18px;color:var(--tg-ink-2)}
.tools{display:flex;flex-wrap:wrap;align-items:center;gap:8px;margin-inline-start:auto}
.tools form{margin:0}
.button{display:inline-block;min-height:32px;padding:4px 12px;border:1px solid var(--tg-line-strong);border-radius:var(--tg-r-m);
background:var(--tg-surface);color:var(--tg-ink);font:500 14px/22px var(--tg-font-sans);text-decoration:none;cursor:pointer}
.button.primary{border-color:var(--tg-action);background:var(--tg-action);color:var(--tg-on-action)}
main{display:grid;grid-template-columns:minmax(0,360px) minmax(0,1fr);gap:20px;align-items:start}
main.empty,main.list{grid-template-columns:minmax(0,1fr)}
main.list nav{max-width:720px}
nav ul{margin:0;padding:0;list-style:none;border:1px solid var(--tg-line);border-radius:var(--tg-r-l);background:var(--tg-surface);overflow:hidden}
nav li+li{border-top:1px solid var(--tg-line)}
nav a{display:block;padding:12px 16px;border-inline-start:2px solid transparent;color:inherit;text-decoration:none}
nav a:hover{background:var(--tg-sunken)}
nav a:focus-visible{outline-offset:-4px}
nav a[aria-current]{border-inline-start-color:var(--tg-accent);background:var(--tg-sunken)}
nav .subject{display:block;font-weight:500}
.meta{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 12px;font-size:13px;line-height:18px;color:var(--tg-ink-2)}
time{font-variant-numeric:tabular-nums}
article,.nothing{padding:20px;border:1px solid var(--tg-line);border-radius:var(--tg-r-l);background:var(--tg-surface)}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:4px 12px;margin:0}
dt{color:var(--tg-ink-2)}
dd{margin:0}
.links{margin:0;padding:0;list-style:none}
.links li{display:flex;flex-wrap:wrap;align-items:center;gap:8px 12px;margin-bottom:8px}
code,pre{font:13px/18px var(--tg-font-mono)}
.links code{flex:1 1 200px;color:var(--tg-ink-2)}
pre{margin:0;padding:12px;border:1px solid var(--tg-line);border-radius:var(--tg-r-s);background:var(--tg-sunken);white-space:pre-wrap}
iframe{display:block;width:100%;height:620px;border:1px solid var(--tg-line);border-radius:var(--tg-r-s)}
.back{display:none}
footer{padding-block:20px;font-size:13px;line-height:18px;color:var(--tg-ink-2)}
@media (max-width:760px){main{grid-template-columns:minmax(0,1fr)}main[data-reading] nav{display:none}.back{display:inline-block;padding:4px 0;margin-bottom:8px}
header,main,footer{padding-inline:12px}}
`

const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const timeOf = (at: Date) => `<time datetime="${at.toISOString()}">${escapeHtml(timeFormat.format(at))}</time>`
const subjectOf = ({ subject }: InboxMessage) => escapeHtml(subject || '(no subject)')

// The frame inherits this page's policy: a style element needs the nonce, and style attributes come off, because each
// would be reported as a violation. Links open outside the frame, where their pages may run.
const previewDocument = (html: string, nonce: string): string => {
  const styled = html
    .replace(/(<[a-z][^<>]*?)\sstyle=(?:"[^"]*"|'[^']*')/gi, '$1')
    .replace(/<style(?=[\s>])/gi, `<style nonce="${nonce}"`)
  const base = '<base target="_blank">'
  return /<head[\s>]/i.test(styled) ? styled.replace(/<head[^>]*>/i, (head) => head + base) : base + styled
}

const listItem = (message: InboxMessage, selected: InboxMessage | undefined): string => `<li>
<a href="/dev/inbox?id=${encodeURIComponent(message.id)}"${message.id === selected?.id ? ' aria-current="page"' : ''}>
<span class="subject">${subjectOf(message)}</span>
<span class="meta"><span>${escapeHtml(message.to)}</span> ${timeOf(message.createdAt)}</span>
</a>
</li>`

const linkItem = (link: string, index: number): string => `<li>
<a class="button${index === 0 ? ' primary' : ''}" href="${escapeHtml(link)}" rel="noreferrer" aria-describedby="link-${index}">Open link</a>
<code id="link-${index}">${escapeHtml(link)}</code>
</li>`

const attachmentItem = ({ name, size, url }: InboxMessage['attachments'][number]): string => `<li>
<a class="button" href="${escapeHtml(url)}">${escapeHtml(name)}</a>
<span>${(size / 1000).toFixed(1)} kB</span>
</li>`

const reader = (message: InboxMessage, nonce: string): string => {
  // Stored links are checked again, because a javascript: address here would run on our own origin.
  const links = message.links.filter(isWebAddress)
  return `<article aria-labelledby="subject">
<a class="back" href="/dev/inbox">All mail</a>
<h2 id="subject">${subjectOf(message)}</h2>
<dl>
<dt>To</dt><dd>${escapeHtml(message.to)}</dd>
<dt>From</dt><dd>${escapeHtml(message.from)}</dd>
<dt>Time</dt><dd>${timeOf(message.createdAt)}</dd>
</dl>
<h3>Links</h3>
${links.length ? `<ul class="links">${links.map(linkItem).join('\n')}</ul>` : '<p>This mail has no links.</p>'}
${message.attachments.length ? `<h3>Attachments</h3>\n<ul class="links">${message.attachments.map(attachmentItem).join('\n')}</ul>` : ''}
<h3>HTML</h3>
<iframe title="HTML part of the mail" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(previewDocument(message.html, nonce))}"></iframe>
<h3>Text</h3>
<pre>${escapeHtml(message.text)}</pre>
</article>`
}

const emptyState = `<section class="nothing" aria-labelledby="nothing">
<h2 id="nothing">No mail yet</h2>
<p>Mails that this server writes appear here, for example after a sign-up.</p>
<p><a class="button primary" href="/sign-up">Create an account</a></p>
<p>For tests: <code>GET /dev/inbox/messages?to=ada@example.com</code></p>
</section>`

/**
 * The developer inbox at /dev/inbox, newest mail first as given; `/dev/inbox?id=…` selects one. The page needs the
 * policy of `inboxContentSecurityPolicy(nonce)`, `inboxScript` at /dev/inbox.js, and a POST to /dev/inbox/clear that
 * empties the inbox and redirects here. `font` is the address of the pages' font.
 */
export const renderInbox = (
  messages: readonly InboxMessage[],
  selected: InboxMessage | undefined,
  nonce: string,
  font?: string,
): string => {
  const layout = selected ? ' data-reading' : messages.length ? ' class="list"' : ' class="empty"'
  const list = `<nav aria-label="Mails">
<ul>
${messages.map((message) => listItem(message, selected)).join('\n')}
</ul>
</nav>`
  const clear = `<form method="post" action="/dev/inbox/clear"><button class="button" type="submit">Clear inbox</button></form>`
  const reload = selected ? `/dev/inbox?id=${encodeURIComponent(selected.id)}` : '/dev/inbox'

  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${selected ? `${subjectOf(selected)} · ` : ''}Inbox (${messages.length})</title>
<link rel="icon" href="data:,">
${font ? `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>` : ''}
<style nonce="${escapeHtml(nonce)}">${font ? fontFace(font) : ''}${styleSheet}</style>
<script src="/dev/inbox.js" defer></script>
</head>
<body>
<div class="stripe" aria-hidden="true"></div>
<header>
<h1>Inbox</h1>
<div class="tools">
<a class="button" href="${reload}">Reload</a>
${messages.length ? clear : ''}
</div>
<p class="note">Development only: every mail of this server appears here, for all recipients.</p>
<p class="note" role="status"></p>
</header>
<main${layout} data-newest="${escapeHtml(messages[0]?.id ?? '')}">
${messages.length ? list : emptyState}
${selected ? reader(selected, nonce) : ''}
</main>
<footer>The same as JSON: <a href="/dev/inbox/messages">/dev/inbox/messages</a></footer>
</body>
</html>
`
}
