import { defineResource, text } from '../../resource.ts'
import { texts } from '../../texts.ts'

export const meters = defineResource({
  path: 'meters',
  permission: 'meter',
  create: { to: '/dashboard/$slug/meters/$meterId', label: texts.commands.newMeter },
  call: 'listMeters',
  key: 'meters',
  file: 'exportMeters',
  sorts: ['-created', 'created', 'name', '-name'],
  fields: { created: 'created_at', name: 'name' },
  filters: { q: text() },
})
