import { expect, test } from 'vitest'
import { deviceOf } from './device-name.ts'

const mozilla = 'Mozilla/5.0'
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36`,
    'Chrome 141',
    'Windows',
    'desktop',
  ],
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.3537.57`,
    'Edge 141',
    'Windows',
    'desktop',
  ],
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/139.0.0.0 Safari/537.36 OPR/123.0.0.0`,
    'Opera 123',
    'Windows',
    'desktop',
  ],
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/138.0.0.0 YaBrowser/25.8.0 Safari/537.36`,
    'Yandex Browser 25',
    'Windows',
    'desktop',
  ],
  [
    `${mozilla} (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0`,
    'Firefox 143',
    'Windows',
    'desktop',
  ],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`,
    'Safari 18',
    'macOS',
    'desktop',
  ],
  [`${mozilla} (X11; Linux x86_64) ${webkit} HeadlessChrome/153.0.0.0 Safari/537.36`, 'Chrome 153', 'Linux', 'desktop'],
  [
    `${mozilla} (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/141.0.0.0 Safari/537.36`,
    'Chrome 141',
    'ChromeOS',
    'desktop',
  ],
  [`${mozilla} (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0`, 'Firefox 143', 'Linux', 'desktop'],
  [
    `${mozilla} (Linux; Android 10; K) ${webkit} Chrome/141.0.0.0 Mobile Safari/537.36`,
    'Chrome 141',
    'Android',
    'phone',
  ],
  [
    `${mozilla} (Linux; Android 14; SM-X710) ${webkit} Chrome/141.0.0.0 Safari/537.36`,
    'Chrome 141',
    'Android',
    'tablet',
  ],
  [
    `${mozilla} (Linux; Android 14; SM-S921B) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet 28',
    'Android',
    'phone',
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1`,
    'Safari 18',
    'iOS',
    'phone',
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1`,
    'Chrome 141',
    'iOS',
    'phone',
  ],
  [
    `${mozilla} (iPad; CPU OS 16_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/143.0 Mobile/15E148 Safari/605.1.15`,
    'Firefox 143',
    'iPadOS',
    'tablet',
  ],
  ['curl/8.14.1', 'curl 8', undefined, 'program'],
  ['node', 'Node.js', undefined, 'program'],
  ['undici', 'Node.js', undefined, 'program'],
  ['python-requests/2.32.3', 'Python 2', undefined, 'program'],
  ['Go-http-client/2.0', 'Go 2', undefined, 'program'],
  [`${mozilla} (Windows NT 10.0) SomethingNew/1.0`, undefined, 'Windows', 'desktop'],
  ['', undefined, undefined, 'desktop'],
  [null, undefined, undefined, 'desktop'],
])('%s', (userAgent, browser, system, kind) => {
  const device = deviceOf(userAgent)

  expect([device.browser, device.system, device.kind]).toEqual([browser, system, kind])
})
