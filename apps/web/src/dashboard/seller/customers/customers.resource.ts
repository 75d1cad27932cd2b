import { defineResource, text } from '../../resource.ts'

export const customers = defineResource({
  path: 'customers',
  permission: 'customer',
  object: 'customer',
  call: 'listCustomers',
  key: 'customers',
  file: 'exportCustomers',
  sorts: ['-created', 'created', 'name', '-name', 'email', '-email'],
  fields: { created: 'created_at', name: 'name', email: 'email' },
  filters: { q: text() },
})
