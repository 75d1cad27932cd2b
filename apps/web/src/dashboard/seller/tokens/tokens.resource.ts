import { defineResource } from '../../resource.ts'

export const tokens = defineResource({
  path: 'tokens',
  permission: 'token',
  call: 'listAccessTokens',
  key: 'tokens',
  sorts: ['-created', 'created', 'name', '-name', '-used', 'used'],
  fields: { created: 'created_at', name: 'comment', used: 'last_used_at' },
  filters: {},
})
