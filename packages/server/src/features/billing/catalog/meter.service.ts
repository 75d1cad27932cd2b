import type { Meter } from '@tollgate/contract/billing-types'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
import { findMeter, insertMeter, listMeterRows, type MeterRow, updateMeterRow } from './meter.repository.ts'

export const listMeters: BillingHandler<'listMeters'> = async ({ ctx, seller, query }) => {
  const { rows, pagination } = await listMeterRows(ctx.database.lists, seller.organizationId, query, query)
  return { items: rows.map(toMeter), pagination }
}

export const createMeter: BillingHandler<'createMeter'> = async ({ ctx, seller, body }) => {
  const { name, filter, aggregation, metadata = {} } = body
  const row = await ctx.transaction((tx) =>
    insertMeter(tx, {
      id: newUuid(),
      organizationId: seller.organizationId,
      name,
      filter: filter,
      aggregation: aggregation,
      metadata,
      createdAt: ctx.clock.now(),
    }),
  )
  return toMeter(row)
}

export const getMeter: BillingHandler<'getMeter'> = async ({ ctx, seller, params: { id } }) => {
  const row = await findMeter(ctx.db, seller.organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toMeter(row)
}

/** Updates the given members; replaces `metadata` as a whole. */
export const updateMeter: BillingHandler<'updateMeter'> = async ({ ctx, seller, params: { id }, body }) => {
  const { name, filter, aggregation, metadata } = body
  const row = await ctx.transaction((tx) =>
    updateMeterRow(tx, seller.organizationId, id, {
      ...(name && { name }),
      ...(filter && { filter: filter }),
      ...(aggregation && { aggregation: aggregation }),
      ...(metadata && { metadata }),
      modifiedAt: ctx.clock.now(),
    }),
  )
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toMeter(row)
}

const toMeter = ({ createdAt, modifiedAt, ...row }: MeterRow): Meter => ({
  ...row,
  filter: row.filter,
  aggregation: row.aggregation,
  metadata: row.metadata,
  createdAt: createdAt.toISOString(),
  modifiedAt: modifiedAt?.toISOString() ?? null,
  archivedAt: null,
})
