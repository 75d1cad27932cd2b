import { id, index, integer, type Migration, nullable, reference, table, text, time } from './migration.ts'

/** Logos of organizations and of the installation that another upload has replaced: mails that were sent show them. */
export const formerLogos: Migration = {
  name: '0022-former-logos',
  steps: [
    table('former_logo', {
      id,
      organization_id: nullable(reference('organization.id', 'cascade')),
      media_type: text,
      width: integer,
      height: integer,
      replaced_at: time,
      content: text,
    }),
    index('former_logo_holder', 'former_logo', ['organization_id', 'replaced_at']),
  ],
}
