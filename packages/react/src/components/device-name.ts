/** The parts of a user agent that people recognize. */
export type Device = {
  /** With its major version, e.g. "Chrome 141"; undefined if it is unknown. */
  browser?: string
  system?: string
  kind: 'desktop' | 'phone' | 'tablet' | 'program'
}

type Rule = readonly [name: string, pattern: RegExp]

/** Browsers that also claim to be others come before those. Group 1 is the major version. */
const browsers: readonly Rule[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Yandex Browser', /\bYaBrowser\/(\d+)/],
  ['Vivaldi', /\bVivaldi\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chromium|Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* .*Safari\//],
]

/** Programs rather than browsers; they name themselves first. */
const programs: readonly Rule[] = [
  ['curl', /^curl\/(\d+)/],
  ['Node.js', /^(?:node|undici)\b(?:\/v?(\d+))?/i],
  ['Python', /^python[\w-]*\/(\d+)/i],
  ['Go', /^Go-http-client\/(\d+)/],
  ['Postman', /^PostmanRuntime\/(\d+)/],
]

const systems: readonly (readonly [name: string, pattern: RegExp, kind: Device['kind']])[] = [
  ['iPadOS', /\biPad\b/, 'tablet'],
  ['iOS', /\b(?:iPhone|iPod)\b/, 'phone'],
  ['Android', /\bAndroid\b.*\bMobile\b/, 'phone'],
  ['Android', /\bAndroid\b/, 'tablet'],
  ['ChromeOS', /\bCrOS\b/, 'desktop'],
  ['Windows', /\bWindows\b/, 'desktop'],
  ['macOS', /\bMacintosh\b/, 'desktop'],
  ['Linux', /\bLinux\b|\bX11\b/, 'desktop'],
]

/** Parses a user agent with a few rules: enough to tell one's own devices apart. */
export function deviceOf(userAgent: string | null): Device {
  const text = userAgent ?? ''
  const program = named(programs, text)
  if (program) return { browser: program, kind: 'program' }

  const browser = named(browsers, text)
  const system = systems.find(([, pattern]) => pattern.test(text))
  return {
    ...(browser ? { browser } : {}),
    ...(system ? { system: system[0] } : {}),
    kind: system?.[2] ?? 'desktop',
  }
}

function named(rules: readonly Rule[], text: string): string | undefined {
  for (const [name, pattern] of rules) {
    const match = pattern.exec(text)
    if (match) return match[1] ? `${name} ${match[1]}` : name
  }
  return undefined
}
