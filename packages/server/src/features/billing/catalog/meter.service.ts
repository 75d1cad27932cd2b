import type { Meter, ParsedBillingBody, ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Context } from '../../../foundation/context.ts'
import { TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import type { Seller } from '../seller/seller.service.ts'
import { findMeter, insertMeter, listMeterRows, type MeterRow, updateMeterRow } from './meter.repository.ts'

export async function listMeters(ctx: Context, seller: Seller, query: ParsedBillingQuery<'listMeters'>) {
  const { rows, pagination } = await listMeterRows(ctx.database.lists, seller.organizationId, query, query)
  return { items: rows.map(toMeter), pagination }
}

export async function createMeter(ctx: Context, seller: Seller, body: ParsedBillingBody<'createMeter'>) {
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

export async function getMeter(ctx: Context, seller: Seller, id: string): Promise<Meter> {
  const row = await findMeter(ctx.db, seller.organizationId, id)
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toMeter(row)
}

/** Updates the given members; replaces `metadata` as a whole. */
export async function updateMeter(ctx: Context, seller: Seller, id: string, body: ParsedBillingBody<'updateMeter'>) {
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
