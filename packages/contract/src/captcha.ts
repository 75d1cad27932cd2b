/** Captcha providers. */
export const captchaProviders = ['cloudflare-turnstile', 'google-recaptcha', 'hcaptcha'] as const

export type CaptchaProvider = (typeof captchaProviders)[number]

/** The header that carries the captcha's answer (auth contract, section 7). */
export const captchaHeader = 'x-captcha-response'

/** The field that each provider's widget adds to its form. */
export const captchaFields = {
  'cloudflare-turnstile': 'cf-turnstile-response',
  'google-recaptcha': 'g-recaptcha-response',
  hcaptcha: 'h-captcha-response',
} as const satisfies Record<CaptchaProvider, string>
