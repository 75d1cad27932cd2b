import { id, index, integer, type Migration, nullable, reference, table, text, time, unique } from './migration.ts'

/** Uploaded pictures of users and organizations, and the logo of the installation. */
export const pictures: Migration = {
  name: '0014-pictures',
  steps: [
    table('picture', {
      id,
      // A holder has one picture at most, so that nothing is left behind.
      user_id: unique(nullable(reference('user.id', 'cascade'))),
      organization_id: unique(nullable(reference('organization.id', 'cascade'))),
      public_origin: text,
      media_type: text,
      width: integer,
      height: integer,
      created_at: time,
      content: text,
    }),
    index('picture_origin', 'picture', ['public_origin', 'id']),
  ],
}
