import type { Meter, ParsedBillingBody, ParsedBillingQuery } from '@tollgate/contract/billing-types'
import type { Context } from '../../context.ts'
import { toJson } from '../../db/tables.ts'
import { TollgateError } from '../../error.ts'
import { newUuid } from '../../ids.ts'
import type { Seller } from '../seller/seller.service.ts'
import { findMeter, insertMeter, listMeterRows, type MeterRow, updateMeterRow } from './meter.repository.ts'

/** The meters of an organization. */
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
      filter: toJson(filter),
      aggregation: toJson(aggregation),
      metadata: toJson(metadata),
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

/** Changes what is named; `metadata` as a whole. */
export async function updateMeter(ctx: Context, seller: Seller, id: string, body: ParsedBillingBody<'updateMeter'>) {
  const { name, filter, aggregation, metadata } = body
  const row = await ctx.transaction((tx) =>
    updateMeterRow(tx, seller.organizationId, id, {
      ...(name && { name }),
      ...(filter && { filter: toJson(filter) }),
      ...(aggregation && { aggregation: toJson(aggregation) }),
      ...(metadata && { metadata: toJson(metadata) }),
      modifiedAt: ctx.clock.now(),
    }),
  )
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toMeter(row)
}

const toMeter = ({ createdAt, modifiedAt, ...row }: MeterRow): Meter => ({
  ...row,
  filter: row.filter as Meter['filter'], // checked when it was written, like what follows
  aggregation: row.aggregation as Meter['aggregation'],
  metadata: row.metadata as Meter['metadata'],
  createdAt: createdAt.toISOString(),
  modifiedAt: modifiedAt?.toISOString() ?? null,
  archivedAt: null,
})
