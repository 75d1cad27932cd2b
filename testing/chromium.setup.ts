import { launchChromium } from './chromium.ts'

/** Unpacks the browser if need be, once for all test files, and stops the run when there is none to be had. */
export default async function setUpChromium(): Promise<void> {
  const started = await launchChromium()
  if (started.browser === null) throw new Error(`No browser for the end-to-end tests: ${started.reason}`)
  await started.browser.close()
}
