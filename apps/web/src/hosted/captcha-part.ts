import type { PageCaptcha } from '@tollgate/contract/pages'
import type { Captcha, createCaptcha } from '@tollgate/react'

let create: typeof createCaptcha | undefined

/** Brings along what draws a captcha: its bundle does so in the browser, before that of the page, and the server always. */
export function provideCaptcha(given: typeof createCaptcha): void {
  create = given
}

/** A page's captcha, if it has one. */
export const captchaOf = (options: PageCaptcha | undefined): Captcha | undefined => options && create?.(options)
