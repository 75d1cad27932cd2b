import { defineResource, text } from '../../resource.ts'
import { texts } from '../../texts.ts'

export const discounts = defineResource({
  path: 'discounts',
  permission: 'discount',
  create: { to: '/dashboard/$slug/discounts/$discountId', label: texts.commands.newDiscount },
  call: 'listDiscounts',
  key: 'discounts',
  file: 'exportDiscounts',
  sorts: ['-created', 'created', 'name', '-name', 'code', '-code', '-redeemed', 'redeemed'],
  fields: { created: 'created_at', name: 'name', code: 'code', redeemed: 'redemptions_count' },
  filters: { q: text() },
})
