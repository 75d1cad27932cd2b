import type { Brand } from '@tollgate/contract/brand'
import { brandColors, brandCorners, type SchemeColor } from '@tollgate/contract/brand-tokens'
import { escapeHtml } from '../html.ts'
import { fill } from '../localized-text.ts'
import type { MailMessages, MailWords } from './locales/messages.ts'

/** A line of a receipt: label and amount. */
export interface MailLine {
  label: string
  value: string
  /** Whether the value is a name, which needs more room than an amount. */
  isName?: boolean
}

/** What stands at the head of a mail, and its colors and corners. */
export interface MailLook {
  /** The application, or the organization that the mail is from. */
  name: string
  /** An absolute address; null for the name alone. */
  logo: string | null
  brand: Brand
}

interface Page {
  look: MailLook
  mail: MailWords
  messages: MailMessages
  locale: string
  greeting: string
  body: readonly string[]
  ledger: readonly MailLine[]
  button: { label: string; url: string } | undefined
  typed: { label: string; digits: string } | undefined
  values: Readonly<Record<string, string>>
}

const sans = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

// Each class is written twice: into the style element, where the dark scheme can change it, and onto the elements, because
// several mail programs drop the style element. The developer inbox shows only the former (its policy forbids the latter).
const usual = {
  page: 'margin:0;padding:24px 12px;background-color:#fbfaf7;color:#131c1e',
  card: `max-width:480px;margin:0 auto;border:1px solid #e1e0db;border-radius:12px;background-color:#ffffff;font-family:${sans};font-size:15px;line-height:22px;color:#131c1e`,
  inner: 'padding:32px',
  brand: 'margin:0 0 20px;font-size:13px;line-height:18px;font-weight:600;color:#4a5557',
  logo: 'height:28px;width:auto;max-width:160px;margin:0 10px 0 0;border:0;vertical-align:middle',
  heading: 'margin:0 0 16px;font-size:24px;line-height:29px;font-weight:600;letter-spacing:-0.018em;color:#131c1e',
  paragraph: 'margin:0 0 16px;overflow-wrap:break-word',
  action: 'margin:8px 0 24px',
  button:
    'display:inline-block;padding:11px 20px;border-radius:7px;background-color:#152224;color:#fcfcf9;font-weight:600;text-decoration:none',
  code: `margin:0 0 24px;padding:14px 8px;border:1px solid #e1e0db;border-radius:7px;background-color:#fbfaf7;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:30px;line-height:36px;font-weight:600;letter-spacing:.2em;text-align:center;color:#131c1e`,
  ledger: 'width:100%;margin:0 0 16px;border-collapse:collapse',
  line: 'padding:8px 0;border-top:1px solid #e1e0db;vertical-align:top;overflow-wrap:anywhere',
  named: 'padding:8px 12px 8px 0;border-top:1px solid #e1e0db;vertical-align:top',
  name: 'padding:8px 0;border-top:1px solid #e1e0db;vertical-align:top;overflow-wrap:anywhere',
  sum: 'padding:8px 0;border-top:2px solid #131c1e;font-weight:600',
  small: 'margin:0 0 4px;font-size:13px;line-height:18px;color:#4a5557',
  address: 'margin:0 0 20px;font-size:13px;line-height:18px;overflow-wrap:anywhere;word-break:break-word',
  link: 'color:#007277;text-decoration:underline',
  footer: 'margin:24px 0 0;padding:16px 0 0;border-top:1px solid #e1e0db;font-size:12px;line-height:16px;color:#646e70',
  preview: 'display:none;max-height:0;overflow:hidden',
} as const

type ClassName = keyof typeof usual
type Classes = Partial<Readonly<Record<ClassName, string>>>

const usualDark: Classes = {
  page: 'background-color:#0b1213;color:#f1f0ec',
  card: 'border-color:#252d2f;background-color:#12191b;color:#f1f0ec',
  brand: 'color:#adb6b7',
  heading: 'color:#f1f0ec',
  button: 'background-color:#f1f0ec;color:#101819',
  code: 'border-color:#252d2f;background-color:#0b1213;color:#f1f0ec',
  line: 'border-top-color:#252d2f',
  named: 'border-top-color:#252d2f',
  name: 'border-top-color:#252d2f',
  sum: 'border-top-color:#f1f0ec',
  small: 'color:#adb6b7',
  link: 'color:#6cd1d1',
  footer: 'border-top-color:#252d2f;color:#909b9b',
}

/** What a brand adds to the classes, in the light and in the dark scheme. */
function branded(brand: Brand): { readonly light: Classes; readonly dark: Classes } {
  const { paper, accent, action, 'on-action': onAction } = brandColors(brand)
  const { m, l } = brandCorners(brand)
  const inScheme = (scheme: keyof SchemeColor): Classes => ({
    ...(paper && { page: `background-color:${paper[scheme]}`, code: `background-color:${paper[scheme]}` }),
    ...(accent && { link: `color:${accent[scheme]}` }),
    ...(action && onAction && { button: `background-color:${action[scheme]};color:${onAction[scheme]}` }),
  })
  const corners: Classes = {
    ...(l !== undefined && { card: `border-radius:${l}` }),
    ...(m !== undefined && { button: `border-radius:${m}`, code: `border-radius:${m}` }),
  }
  return { light: joined(inScheme('light'), corners), dark: inScheme('dark') }
}

/** Later declarations of a class follow the earlier ones, and so win. */
function joined<Some extends Classes>(classes: Some, added: Classes): Some {
  const names = [...new Set([...Object.keys(classes), ...Object.keys(added)])] as ClassName[]
  return Object.fromEntries(
    names.map((name) => [name, [classes[name], added[name]].filter((part) => part !== undefined).join(';')]),
  ) as Some // has every class of `classes`
}

const rules = (classes: Classes, suffix: string): string =>
  Object.entries(classes)
    .map(([name, declarations]) => `.${name}{${declarations.replaceAll(';', `${suffix};`)}${suffix}}`)
    .join('')

/** On a telephone the card gives its margins to the words. */
const narrow: Classes = {
  page: 'padding:8px',
  inner: 'padding:20px',
  named: 'display:block;padding-bottom:0',
  name: 'display:block;padding-top:0;border-top:0;text-align:left',
}

const styleSheetOf = (light: Classes, dark: Classes): string =>
  `:root{color-scheme:light dark}${rules(light, '')}@media (max-width:479px){${rules(narrow, ' !important')}}@media (prefers-color-scheme:dark){${rules(dark, ' !important')}}`

/** The attributes of an element with a class. */
type Wear = (name: ClassName) => string

/** The last line is the total. */
const ledgerHtml = (lines: readonly MailLine[], wear: Wear): string =>
  lines.length === 0
    ? ''
    : `<table role="presentation" ${wear('ledger')}>
${lines
  .map(({ label, value, isName }, index) => {
    const own: ClassName = index === lines.length - 1 ? 'sum' : 'line'
    const [left, right] = isName ? (['named', 'name'] as const) : [own, own]
    return `<tr><td ${wear(left)}>${escapeHtml(label)}</td><td align="right" ${wear(right)}>${escapeHtml(value)}</td></tr>`
  })
  .join('\n')}
</table>
`

/** The HTML part of a mail: one column of 480 px in the page's colours, readable without images and without a style sheet. */
export const mailHtml = (page: Page): string => {
  const { look, mail, messages, locale, greeting, body, ledger, button, typed, values } = page
  const brand = branded(look.brand)
  const light = joined(usual, brand.light)
  const wear: Wear = (name) => `class="${name}" style="${light[name]}"`
  const safe = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, escapeHtml(value)]))
  const anchor = (url: string, name: ClassName, label: string) => `<a href="${url}" ${wear(name)}>${label}</a>`
  const shown = { ...safe, resetUrl: anchor(safe.resetUrl ?? '', 'link', safe.resetUrl ?? '') }
  const write = (text: string) => fill(escapeHtml(text), shown)
  const paragraph = (text: string) => `<p ${wear('paragraph')}>${write(text)}</p>`
  const url = button && escapeHtml(button.url)
  // The name stands beside it, so the picture has no text of its own.
  const logo = look.logo === null ? '' : `<img ${wear('logo')} src="${escapeHtml(look.logo)}" alt="" height="28">`

  return `<!doctype html>
<html lang="${locale}" dir="${messages.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${write(mail.subject)}</title>
<style>${styleSheetOf(light, joined(usualDark, brand.dark))}</style>
</head>
<body ${wear('page')}>
<div ${wear('preview')} aria-hidden="true">${write(mail.preview)}</div>
<main ${wear('card')}>
<div ${wear('inner')}>
<p ${wear('brand')}>${logo}${escapeHtml(look.name)}</p>
<h1 ${wear('heading')}>${write(mail.heading)}</h1>
${[greeting, ...body].map(paragraph).join('\n')}
${ledgerHtml(ledger, wear)}${
  button && url
    ? `<p ${wear('action')}>${anchor(url, 'button', write(button.label))}</p>
<p ${wear('small')}>${write(messages.copyLink)}</p>
<p ${wear('address')}>${anchor(url, 'link', url)}</p>
`
    : ''
}${typed ? `${paragraph(typed.label)}\n<p ${wear('code')}>${escapeHtml(typed.digits)}</p>\n` : ''}${mail.after.map(paragraph).join('\n')}
<p ${wear('footer')}>${write(messages.footer)}</p>
</div>
</main>
</body>
</html>
`
}
