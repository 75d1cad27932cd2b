import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readBelow, writeRegistries } from './registries.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

test.each(Object.entries(writeRegistries(readBelow(root))))(
  '%s is up to date (else: node scripts/registries.mjs)',
  (file, text) => {
    expect(readFileSync(path.join(root, file), 'utf8')).toBe(text)
  },
)

test('a file joins its list by its name and its export', () => {
  const files: Record<string, string> = {
    'coupon.calls.ts': 'export const couponCalls = {}',
    'coupon.schemas.ts': 'const helper = 1\nexport const couponSchemas = {}',
    'account.calls.ts': 'export const accountCalls = {}',
    'shop/deeper.calls.ts': 'export const deeperCalls = {}',
    'shop/coupon.service.ts':
      "export const createCoupon: BillingHandler<'createCoupon'> = async () => 1\nexport const unused = 1",
    'shop/user.service.ts': "export const getUser: AuthHandler<'getUser'> = async () => 1",
    'shop/rules.service.ts': 'export const helper = 1',
    '0011-coupons.ts': 'export const coupons: Migration = {}',
  }
  const written = writeRegistries(() => Object.entries(files).map(([file, text]) => ({ file, text })))

  const lists = Object.entries(written).map(([file, text]) => [
    file.split('/').slice(-2).join('/'),
    /= [[{]\n([\s\S]*)[\]}]/.exec(text)?.[1],
  ])
  const calls = '  ...couponCalls,\n  ...accountCalls,\n'
  expect(lists).toEqual([
    ['src/calls.generated.ts', calls],
    ['src/schemas.generated.ts', '  ...couponSchemas,\n'],
    ['billing/calls.generated.ts', calls],
    ['billing/schemas.generated.ts', '  ...couponSchemas,\n'],
    ['migrations/list.generated.ts', '  coupons,\n'],
    ['features/auth-services.generated.ts', '  getUser,\n'],
    ['features/billing-services.generated.ts', '  createCoupon,\n'],
  ])
})
