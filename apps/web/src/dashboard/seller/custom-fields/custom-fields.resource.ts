import { choice, defineResource, text } from '../../resource.ts'
import { texts } from '../../texts.ts'

export const types = ['text', 'number', 'date', 'checkbox', 'select'] as const
export type FieldType = (typeof types)[number]

export const customFields = defineResource({
  path: 'custom-fields',
  permission: 'product',
  create: { to: '/dashboard/$slug/custom-fields/$fieldId', label: texts.commands.newCustomField },
  call: 'listCustomFields',
  key: 'custom-fields',
  file: 'exportCustomFields',
  sorts: ['-created', 'created', 'name', '-name', 'slug', '-slug', 'type', '-type'],
  fields: { created: 'created_at', name: 'name', slug: 'slug', type: 'type' },
  filters: { q: text(), type: choice(types, (type) => ({ type: [type] })) },
})
