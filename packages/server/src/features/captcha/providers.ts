import type { CaptchaProvider } from '@tollgate/contract/calls'
import { z } from 'zod'
import type { Config } from '../../foundation/config/config.ts'

export type CaptchaOptions = Exclude<Config['captcha'], false>

/** The answer of every provider; members that a provider omits are undefined. */
export const verdictSchema = z.object({
  success: z.boolean(),
  hostname: z.string().optional(),
  /** reCAPTCHA v3: 1 is a person, 0 a machine. hCaptcha's enterprise accounts use the opposite scale. */
  score: z.number().optional(),
  'error-codes': z.array(z.string()).nullish(),
})

export type Verdict = z.output<typeof verdictSchema>

type Provider = {
  /** The address that verifies answers; it takes a posted form. */
  readonly verifyURL: string
  /** The fields besides the secret, the answer and the visitor's address. */
  readonly further?: (options: CaptchaOptions) => Readonly<Record<string, string>>
  /** The conditions besides `success`. */
  readonly passes?: (verdict: Verdict, options: CaptchaOptions) => boolean
  /** The origins that the widget loads from, by directive of the content security policy. */
  readonly policy: Readonly<Partial<Record<PolicyDirective, string>>>
}

export type PolicyDirective = 'script-src' | 'frame-src' | 'style-src' | 'connect-src'

const hcaptchaHosts = 'https://hcaptcha.com https://*.hcaptcha.com'

/** The providers, as their documentation describes them. */
export const providers: Readonly<Record<CaptchaProvider, Provider>> = {
  'cloudflare-turnstile': {
    verifyURL: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    policy: {
      'script-src': 'https://challenges.cloudflare.com',
      'frame-src': 'https://challenges.cloudflare.com',
    },
  },
  'google-recaptcha': {
    verifyURL: 'https://www.google.com/recaptcha/api/siteverify',
    // Version 3 calls every well-formed answer a success; the score is its opinion of the visitor.
    passes: ({ score }, { minScore }) => score === undefined || score >= minScore,
    policy: {
      'script-src': 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
      'frame-src': 'https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/',
      'connect-src': 'https://www.google.com/recaptcha/',
    },
  },
  hcaptcha: {
    verifyURL: 'https://api.hcaptcha.com/siteverify',
    // The answer's hostname comes from the visitor's browser; the site key, which names our widget, does not.
    further: ({ siteKey }): Record<string, string> => (siteKey === undefined ? {} : { sitekey: siteKey }),
    policy: {
      'script-src': hcaptchaHosts,
      'frame-src': hcaptchaHosts,
      'style-src': hcaptchaHosts,
      'connect-src': hcaptchaHosts,
    },
  },
}

/** Refusals caused by our settings, not by the visitor. */
export const faultsOfOurs: ReadonlySet<string> = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'invalid-keys',
  'sitekey-secret-mismatch',
])

/** A refusal that reports the provider's own failure. */
export const faultOfTheirs = 'internal-error'
