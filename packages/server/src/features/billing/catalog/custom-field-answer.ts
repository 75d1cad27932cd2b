import type { CustomField } from '@tollgate/contract/billing-types'
import type { Selectable } from 'kysely'
import type { Tables } from '../../../foundation/db/tables.ts'

/** A custom field as responses show it. */
export const toCustomField = (row: Selectable<Tables['customField']>): CustomField =>
  ({
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    modifiedAt: row.modifiedAt?.toISOString() ?? null,
    type: row.type,
    slug: row.slug,
    name: row.name,
    organizationId: row.organizationId,
    metadata: row.metadata,
    properties: row.properties,
  }) as CustomField // properties and type were checked together when they were written
