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
    'shop/coupon.service.ts': "export const createCoupon: BillingHandler<'createCoupon'> = async () => 1",
    'shop/rules.service.ts': 'export const helper = 1',
    '0011-coupons.ts': 'export const coupons: Migration = {}',
  }
  const written = writeRegistries(() => Object.entries(files).map(([file, text]) => ({ file, text })))

  const lists = Object.values(written).map((text) => /= [[{]\n([\s\S]*)[\]}]/.exec(text)?.[1])
  expect(lists).toEqual(['  ...couponCalls,\n', '  ...couponSchemas,\n', '  coupons,\n', '', '  ...shopCoupon,\n'])
})
