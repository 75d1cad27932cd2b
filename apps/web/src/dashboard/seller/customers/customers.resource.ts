import { IconUsers } from '@tabler/icons-react'
import { defineResource, text } from '../../resource.ts'
import { texts } from '../../texts.ts'

export const customers = defineResource({
  path: 'customers',
  entry: { label: texts.shell.customers, icon: IconUsers, key: 'c' },
  permission: 'customer',
  call: 'listCustomers',
  key: 'customers',
  file: 'exportCustomers',
  sorts: ['-created', 'created', 'name', '-name', 'email', '-email'],
  fields: { created: 'created_at', name: 'name', email: 'email' },
  filters: { q: text() },
})
