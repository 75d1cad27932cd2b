import type { CaptchaProvider } from '@tollgate/contract/calls'

/** A widget in a form; it adds its answer as a field. */
export type CaptchaWidget = {
  /** Requests a new answer. */
  reset(): void
  remove(): void
}

type WidgetOptions = {
  readonly provider: CaptchaProvider
  readonly siteKey: string
  readonly locale: string
  /** Called with an error, and with undefined once it is resolved. */
  readonly onState: (problem: 'failed' | 'expired' | undefined) => void
}

/** The interface that all three providers' scripts share. */
type Api = {
  render(element: HTMLElement, options: Readonly<Record<string, unknown>>): string | number
  reset(id: string | number): void
  remove?(id: string | number): void
}

type Script = {
  readonly name: 'turnstile' | 'grecaptcha' | 'hcaptcha'
  readonly address: string
  /** The script address' parameter for the language; Turnstile takes it with the widget. */
  readonly language?: 'hl'
  readonly options?: Readonly<Record<string, unknown>>
}

const scripts: Readonly<Record<CaptchaProvider, Script>> = {
  'cloudflare-turnstile': {
    name: 'turnstile',
    address: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    options: { size: 'flexible' },
  },
  'google-recaptcha': {
    name: 'grecaptcha',
    address: 'https://www.google.com/recaptcha/api.js?render=explicit',
    language: 'hl',
  },
  hcaptcha: {
    name: 'hcaptcha',
    // Otherwise it would define the name of reCAPTCHA's own script too.
    address: 'https://js.hcaptcha.com/1/api.js?render=explicit&recaptchacompat=off',
    language: 'hl',
  },
}

/** Below this width in CSS pixels the compact widget is shown: see `styles.css`. */
const narrow = 304

/** Renders the widget into an element once the provider's script has loaded. Rejects if it cannot load. */
export async function drawCaptcha(place: HTMLElement, options: WidgetOptions): Promise<CaptchaWidget> {
  const { provider, siteKey, locale, onState } = options
  const script = scripts[provider]
  const api = await load(script, locale)
  // None of the three renders twice into one element.
  const element = document.createElement('div')
  place.append(element)
  const isNarrow = place.clientWidth < narrow
  let id: string | number
  const reset = () => api.reset(id)
  id = api.render(element, {
    sitekey: siteKey,
    theme: isDark(place) ? 'dark' : 'light',
    language: locale,
    ...script.options,
    ...(isNarrow && { size: 'compact' }),
    callback: () => onState(undefined),
    'expired-callback': () => {
      onState('expired')
      reset()
    },
    'error-callback': () => {
      onState('failed')
      return true // reported in our words; Turnstile would log it again
    },
  })
  return {
    reset,
    remove: () => {
      api.remove?.(id)
      element.remove()
    },
  }
}

const loading = new Map<string, Promise<Api>>()

/** Loads a provider's script once; a failed load is retried on the next call. */
function load({ name, address, language }: Script, locale: string): Promise<Api> {
  const url = language ? `${address}&${language}=${encodeURIComponent(locale)}` : address
  const known = loading.get(name)
  if (known) return known
  const api = new Promise<Api>((resolve, reject) => {
    const ready = `tollgate_${name}_ready`
    // The scripts call a global function when ready, and define a global of their own.
    const page = window as unknown as Record<string, unknown>
    if (page[name]) return resolve(page[name] as Api)
    page[ready] = () => resolve(page[name] as Api)
    const element = document.createElement('script')
    element.src = `${url}&onload=${ready}`
    element.async = true
    element.onerror = () => {
      element.remove()
      loading.delete(name)
      reject(new Error(`${address} could not be loaded`))
    }
    document.head.append(element)
  })
  loading.set(name, api)
  return api
}

/** The page's color scheme: its own choice, or else the viewer's. */
function isDark(place: HTMLElement): boolean {
  const chosen = place.closest<HTMLElement>('[data-scheme]')?.dataset.scheme
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}
