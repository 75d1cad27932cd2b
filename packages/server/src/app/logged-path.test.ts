import { type BillingCall, billingCalls } from '@tollgate/contract/billing'
import { authCalls, type Call } from '@tollgate/contract/calls'
import { expect, test } from 'vitest'
import { resolveConfig } from '../foundation/config/config.ts'
import { pageMakers, secretPages } from '../pages/page-makers.ts'
import { createTestServer } from '../testing.ts'
import { secretPathsOf } from './app.ts'
import { createLoggedPath } from './logged-path.ts'

const loggedPath = createLoggedPath(secretPathsOf(resolveConfig({}, {})))

test.each([
  ['/api/auth/get-session', '/api/auth/get-session'],
  ['/api/auth/verify-email?token=hidden', '/api/auth/verify-email'],
  ['/api/auth/reset-password/hidden?callbackURL=/', '/api/auth/reset-password/[redacted]'],
  ['/v1/customers', '/v1/customers'],
  ['/v1/customers/external', '/v1/customers/external'],
  ['/v1/customers/external/hidden@example.com', '/v1/customers/external/[redacted]'],
  ['/v1/customers/external/hidden%40example.com/state', '/v1/customers/external/[redacted]/state'],
  ['/v1/customers/external/hidden/payment-methods', '/v1/customers/external/[redacted]/payment-methods'],
  ['/v1/customers/external/hidden/hidden@example.com', '/v1/customers/external/[redacted]'],
  ['/v1/customers/external/hidden/hidden/state', '/v1/customers/external/[redacted]/state'],
  ['/v1/customers/%65xternal/hidden', '/v1/customers/external/[redacted]'],
  ['/V1/Customers/External/hidden', '/V1/Customers/External/[redacted]'],
  ['/v1/customers/external/hidden%ff', '/v1/customers/external/[redacted]'],
  ['/v1/customers?external_id=hidden', '/v1/customers'],
  ['/v1/checkouts/client/hidden/confirm', '/v1/checkouts/client/[redacted]/confirm'],
  ['/v1/sandbox/actions/hidden', '/v1/sandbox/actions/[redacted]'],
  ['/v1/files/parts/hidden', '/v1/files/parts/[redacted]'],
  ['/checkout/hidden/confirmation?embed=1', '/checkout/[redacted]/confirmation'],
  ['/checkout/hidden', '/checkout/[redacted]'],
  ['/buy/hidden', '/buy/[redacted]'],
  ['/join/hidden', '/join/[redacted]'],
  ['/%6Aoin/hidden%zz', '/join/[redacted]'],
  ['/documents/some-id/hidden.pdf', '/documents/some-id/[redacted]'],
])('%s is logged as %s', (path, logged) => {
  expect(loggedPath(path)).toBe(logged)
})

const sensitiveIn = (path: string): string[] =>
  Array.from(path.matchAll(/:(\w+)/g), ([, parameter = '']) => parameter).filter((parameter) =>
    /secret|token|external/i.test(parameter),
  )

test('every page with a secret in its path is listed with it', () => {
  const sensitive = Object.keys(pageMakers).map((path) => ({ path, secrets: sensitiveIn(path) }))

  expect(secretPages).toEqual(expect.arrayContaining(sensitive.filter(({ secrets }) => secrets.length > 0)))
})

test('every call names its secrets by parameters that its path has', () => {
  const calls: Record<string, Pick<Call & BillingCall, 'path' | 'secrets'> & { auth: string }> = {
    ...authCalls,
    ...billingCalls,
  }
  for (const [name, { path, secrets = [], auth }] of Object.entries(calls)) {
    expect([name, [...secrets]]).toEqual([name, sensitiveIn(path)])
    if (auth === 'secret') expect([name, secrets.length]).toEqual([name, 1])
  }
})

test('requests, and their failures, are logged without the caller’s ids and secrets', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor()
  for (const path of [
    '/v1/customers/external/hidden@example.com?note=hidden',
    '/v1/checkouts/client/hidden-secret',
    '/checkout/hidden-secret/confirmation',
    '/buy/hidden-secret',
  ])
    await visitor.request('GET', path)

  const text = server.logs.join('')
  expect(text).toContain('/v1/customers/external/[redacted]')
  expect(text).not.toContain('hidden')
})
