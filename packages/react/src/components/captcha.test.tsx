import { createTollgateClient } from '@tollgate/client'
import { authCalls, type Call } from '@tollgate/contract/calls'
import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import {
  type CaptchaOptions,
  createCaptcha,
  ForgotPassword,
  messagesFor,
  type PageMessages,
  ResetPassword,
  SignIn,
  SignUp,
  TollgateProvider,
} from '../index.ts'
import * as locales from '../locales/index.ts'

const turnstile: CaptchaOptions = { provider: 'cloudflare-turnstile', siteKey: 'the site key' }

const render = (element: ReactElement, captcha?: CaptchaOptions, messages: PageMessages = locales.en): string =>
  renderToString(
    <TollgateProvider
      client={createTollgateClient()}
      messages={messages}
      {...(captcha ? { captcha: createCaptcha(captcha) } : {})}
    >
      {element}
    </TollgateProvider>,
  )

const widgets = (html: string): number => html.split('data-tg="captcha"').length - 1

afterEach(() => vi.unstubAllGlobals())

test.each<[string, ReactElement]>([
  ['sign-in', <SignIn key="1" />],
  ['sign-in with a second button', <SignIn key="2" magicLink username />],
  ['sign-in by mailed link alone', <SignIn key="3" magicLink password={false} />],
  ['sign-up', <SignUp key="4" />],
  ['forgotten password', <ForgotPassword key="5" />],
])('the form of %s has one widget, before its button, and notes that it needs JavaScript', (_, form) => {
  const html = render(form, turnstile)

  expect(widgets(html)).toBe(1)
  expect(html.indexOf('data-tg="captcha"')).toBeLessThan(html.indexOf('type="submit"'))
  expect(html).toMatch(/<p[^>]* data-scriptless="true">This form checks that you are a person, which needs JavaScript/)
})

test('without a captcha there is no widget, and neither is there one in forms whose calls want no answer', () => {
  expect(widgets(render(<SignIn />))).toBe(0)
  expect(widgets(render(<ResetPassword token="x" />, turnstile))).toBe(0)
})

test('where the server names its own calls, only their forms have the widget', () => {
  const named = { ...turnstile, calls: ['signUpEmail'] } as const

  expect(widgets(render(<SignUp />, named))).toBe(1)
  expect(widgets(render(<SignIn />, named))).toBe(0)
})

test('a page with the widget is handed its texts', () => {
  expect(render(<SignUp />, turnstile, messagesFor(locales.de, 'SignUp', 'Captcha'))).toContain('JavaScript')
  expect(() => render(<SignUp />, turnstile, messagesFor(locales.de, 'SignUp'))).toThrow('lack the group "captcha"')
})

test('the answer goes along with the calls that want one, from whichever widget has been answered', () => {
  const asked: string[] = []
  vi.stubGlobal('document', {
    querySelectorAll: (selector: string) => {
      asked.push(selector)
      return [{ value: '' }, { value: 'an answer' }]
    },
  })
  const { answer } = createCaptcha({ ...turnstile, provider: 'hcaptcha' })

  expect([answer('signInEmail'), answer('changePassword')]).toEqual(['an answer', undefined])
  expect(asked).toEqual(['[name="h-captcha-response"]'])
})

test('the forms of the pages make every call that a captcha guards by default', () => {
  const guarded = Object.entries<Call>(authCalls).flatMap(([name, { captcha }]) =>
    captcha === 'default' ? [name] : [],
  )

  // `forgetPassword` is the older name of `requestPasswordReset`, which the form uses.
  expect(guarded.sort()).toEqual([
    'forgetPassword',
    'requestPasswordReset',
    'signInEmail',
    'signInMagicLink',
    'signInUsername',
    'signUpEmail',
  ])
})
