import { choice, defineResource, text } from '../../resource.ts'
import { texts } from '../../texts.ts'

/** What is shown besides products that are for sale. */
export const archives = ['archived', 'all'] as const
export const intervals = ['recurring', 'one_time'] as const

export const products = defineResource({
  path: 'products',
  permission: 'product',
  object: 'product',
  create: { to: '/dashboard/$slug/products/$productId', label: texts.commands.newProduct },
  call: 'listProducts',
  key: 'products',
  file: 'exportProducts',
  sorts: ['-created', 'created', 'name', '-name'],
  fields: { created: 'created_at', name: 'name' },
  filters: {
    q: text(),
    archive: {
      read: (value) => archives.find((each) => each === value),
      ask: (archive) => (archive === 'all' ? {} : { isArchived: archive === 'archived' }),
    },
    interval: choice(intervals, (interval) => ({ isRecurring: interval === 'recurring' })),
  },
})
