import { defineResource, id } from '../../resource.ts'
import { texts } from '../../texts.ts'

export const checkoutLinks = defineResource({
  path: 'checkout-links',
  permission: 'product',
  create: { to: '/dashboard/$slug/checkout-links/$linkId', label: texts.commands.newCheckoutLink },
  call: 'listCheckoutLinks',
  key: 'checkout-links',
  file: 'exportCheckoutLinks',
  sorts: ['-created', 'created', 'label', '-label'],
  fields: { created: 'created_at', label: 'label' },
  filters: { product: id((product) => ({ productId: [product] })) },
})
