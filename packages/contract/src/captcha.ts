/** Who can be asked whether somebody is a person. */
export const captchaProviders = ['cloudflare-turnstile', 'google-recaptcha', 'hcaptcha'] as const

export type CaptchaProvider = (typeof captchaProviders)[number]

/** The header that brings the answer to the captcha along (auth contract, section 7). */
export const captchaHeader = 'x-captcha-response'

/** The field that each provider's widget adds to the form that it stands in. */
export const captchaFields = {
  'cloudflare-turnstile': 'cf-turnstile-response',
  'google-recaptcha': 'g-recaptcha-response',
  hcaptcha: 'h-captcha-response',
} as const satisfies Record<CaptchaProvider, string>
