import { IconKey } from '@tabler/icons-react'
import { defineResource } from '../../resource.ts'
import { texts } from '../../texts.ts'

export const tokens = defineResource({
  path: 'tokens',
  entry: { label: texts.shell.tokens, icon: IconKey, key: 't' },
  permission: 'token',
  call: 'listAccessTokens',
  key: 'tokens',
  sorts: ['-created', 'created', 'name', '-name', '-used', 'used'],
  fields: { created: 'created_at', name: 'comment', used: 'last_used_at' },
  filters: {},
})
