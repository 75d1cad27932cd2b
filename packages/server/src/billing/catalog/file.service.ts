import { Buffer } from 'node:buffer'
import type {
  BillingAnswer,
  BillingFile,
  ParsedBillingBody,
  ParsedBillingQuery,
} from '@tollgate/contract/billing-types'
import { after, hours } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { toJson } from '../../db/tables.ts'
import { type InputIssue, TollgateError } from '../../error.ts'
import { newUuid } from '../../ids.ts'
import { enqueue, type JobHandler } from '../../jobs.ts'
import { inBody, invalid } from '../invalid.ts'
import { lockMerchant } from '../seller/seller.repository.ts'
import type { Seller } from '../seller/seller.service.ts'
import {
  detachFile,
  type FileRow,
  findAnyFile,
  findFile,
  insertFile,
  listFileRows,
  markAbandoned,
  markUploaded,
  setPublicOrigin,
  sumFiles,
  updateFileRow,
} from './file.repository.ts'
import { shownOf, toFile } from './file-answer.ts'
import { partAddress } from './file-part.service.ts'
import { checkNewFile, isPublic, isWhatItSays } from './files/file-rules.ts'
import { type Joined, MissingPart } from './files/store.ts'

/** The uploaded files of an organization. */
export async function listFiles(ctx: Context, seller: Seller, query: ParsedBillingQuery<'listFiles'>) {
  const { rows, pagination } = await listFileRows(ctx.db, seller.organizationId, query, query.ids)
  return { items: rows.map(toFile), pagination }
}

/** After which a file whose parts have not all come is given up. */
const unfinishedKeptFor = hours(24)
/** Most files of an organization that are announced and not there yet: they take room. */
const unfinishedLimit = 100
/** Most files of an organization, whatever their size. */
const fileLimit = 10_000

/** Announces a file; answers where to send each of its parts within the next quarter of an hour. */
export async function createFile(
  ctx: Context,
  { organizationId }: Seller,
  body: ParsedBillingBody<'createFile'>,
): Promise<BillingAnswer<'createFile'>> {
  const issues = checkNewFile(body)
  if (issues.length > 0) throw invalid(...issues)
  const now = ctx.clock.now()
  const id = newUuid()
  const parts = body.upload.parts.map((part) => ({
    ...part,
    checksumSha256Base64: part.checksumSha256Base64 ?? null,
    ...partAddress(ctx, id, part.number),
    headers: {},
  }))

  const row = await ctx.transaction(async (tx) => {
    await assertRoom(ctx, tx, organizationId, body.size)
    // What never comes is removed, and of what has come the parts that are left.
    const runAt = after(now, unfinishedKeptFor)
    await enqueue(tx, now, { kind: 'remove-file', payload: id, runAt })
    return insertFile(tx, {
      id,
      organizationId,
      name: body.name,
      path: `${body.service}/${organizationId}/${id}`,
      mimeType: body.mimeType,
      size: body.size,
      service: body.service,
      parts: toJson(body.upload.parts),
      publicOrigin: ctx.config.baseURL.origin,
      checksumSha256Base64: body.checksumSha256Base64 ?? null,
      version: body.version ?? null,
      isUploaded: false,
      createdAt: now,
    })
  })
  return { ...shownOf(row), service: body.service, upload: { id, path: row.path, parts } }
}

/** Refuses a file that is too many, or too large beside those that are there; of several at once each sees those before it. */
async function assertRoom(ctx: Context, tx: Tx, organizationId: string, size: number): Promise<void> {
  if (ctx.config.billing === false) throw new Error('billing is off: nothing of it is asked here')
  await lockMerchant(tx, organizationId)
  const sums = await sumFiles(tx, organizationId)
  if (sums.unfinished >= unfinishedLimit)
    throw invalid(inBody('upload', 'Too many uploads have been announced and not been finished.'))
  if (sums.count >= fileLimit) throw invalid(inBody('upload', `There are ${fileLimit} files already.`))
  const left = ctx.config.billing.files.roomPerOrganization - sums.size
  if (size > left) throw invalid(inBody('size', `There is room for ${Math.max(0, left)} bytes.`, 'less_than_equal'))
}

/**
 * Puts the parts of a file together, when all of them are there and are what was announced. From then on the file can be
 * used. Said twice, the second time changes nothing.
 */
export async function completeFile(
  ctx: Context,
  { organizationId }: Seller,
  id: string,
  body: ParsedBillingBody<'completeFile'>,
): Promise<BillingFile> {
  const file = await findFile(ctx.db, organizationId, id)
  if (!file) throw new TollgateError('RESOURCE_NOT_FOUND')
  if (file.isUploaded) return toFile(file)
  const count = (file.parts as unknown[]).length // as they were announced
  const issues = checkNamed(file, body, count)
  if (issues.length > 0) throw invalid(...issues)

  let joined: Joined
  try {
    joined = await ctx.files.join(id, count, (all) => checkJoined(file, body, all))
  } catch (error) {
    if (!(error instanceof MissingPart)) throw error
    // Somebody else may have said it a moment before, and the parts are gone since then.
    const other = await findFile(ctx.db, organizationId, id)
    if (other?.isUploaded) return toFile(other)
    throw invalid(inBody('parts', 'Not all parts have been uploaded.'))
  }
  const uploaded = await ctx.transaction((tx) => markUploaded(tx, id, digestsOf(joined), ctx.clock.now()))
  if (uploaded) {
    await ctx.files.removeParts(id)
    return toFile(uploaded)
  }
  const other = await findFile(ctx.db, organizationId, id)
  if (other) return toFile(other)
  // It was removed while its parts were put together.
  await ctx.files.remove(id)
  throw new TollgateError('RESOURCE_NOT_FOUND')
}

type Completion = ParsedBillingBody<'completeFile'>

/** What can be told from the request alone: that it is about this upload, and names each part once. */
function checkNamed(file: FileRow, { id, path, parts }: Completion, count: number): InputIssue[] {
  const issues: InputIssue[] = []
  if (id !== file.id) issues.push(inBody('id', 'The upload is another one.'))
  if (path !== file.path) issues.push(inBody('path', 'The upload is another one.'))
  if (new Set(parts.map(({ number }) => number)).size !== parts.length)
    issues.push(inBody('parts', 'A part is named twice.'))
  if (parts.length !== count || parts.some(({ number }) => number > count))
    issues.push(inBody('parts', `The upload has the parts 1 to ${count}.`))
  return issues
}

/** Refuses parts that are not those that the caller has sent, and a file that is not what was announced. */
function checkJoined(file: FileRow, { parts }: Completion, joined: Joined): void {
  const issues = parts.flatMap(({ number, checksumEtag, checksumSha256Base64 }, index) => {
    const { sha256 } = joined.parts[number - 1]! // each of them is named once
    if (checksumEtag.replace(/^(?:W\/)?"|"$/g, '') !== sha256)
      return [inBody(['parts', index, 'checksum_etag'], 'Another part has been uploaded.')]
    if (checksumSha256Base64 && checksumSha256Base64 !== inBase64(sha256))
      return [inBody(['parts', index, 'checksum_sha256_base64'], 'Another part has been uploaded.')]
    return []
  })
  if (joined.size !== file.size) issues.push(inBody('parts', 'The file has another size than was announced.'))
  if (file.checksumSha256Base64 && file.checksumSha256Base64 !== inBase64(joined.sha256))
    issues.push(inBody('parts', 'The file has another checksum than was announced.'))
  if (isPublic(file.service) && !isWhatItSays(file.mimeType, joined.head))
    issues.push(inBody('parts', `The file is no ${file.mimeType}.`))
  if (issues.length > 0) throw invalid(...issues.slice(0, 50))
}

const inBase64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

const digestsOf = ({ sha256 }: Joined) => ({
  checksumEtag: sha256,
  checksumSha256Hex: sha256,
  checksumSha256Base64: inBase64(sha256),
})

/** Renames a file, or names its version. */
export async function updateFile(
  ctx: Context,
  { organizationId }: Seller,
  id: string,
  { name, version }: ParsedBillingBody<'updateFile'>,
): Promise<BillingFile> {
  const row = await ctx.transaction((tx) =>
    updateFileRow(tx, organizationId, id, {
      ...(name && { name }),
      ...(version !== undefined && { version }),
      modifiedAt: ctx.clock.now(),
    }),
  )
  if (!row) throw new TollgateError('RESOURCE_NOT_FOUND')
  return toFile(row)
}

/** Removes a file from its products and from sight; its bytes go after the commit. */
export async function deleteFile(ctx: Context, { organizationId }: Seller, id: string): Promise<undefined> {
  const now = ctx.clock.now()
  await ctx.transaction(async (tx) => {
    const removed = await updateFileRow(tx, organizationId, id, { deletedAt: now, modifiedAt: now })
    if (!removed) throw new TollgateError('RESOURCE_NOT_FOUND')
    await detachFile(tx, id)
    await enqueue(tx, now, { kind: 'remove-file', payload: id })
  })
}

/** Removes the bytes of a file that is gone or was never finished, and what is left of the parts of one that is there. */
export const createRemoveFileHandler =
  (ctx: Context): JobHandler =>
  async ({ payload: id }) => {
    await ctx.transaction((tx) => markAbandoned(tx, id, ctx.clock.now()))
    const file = await findAnyFile(ctx.db, id)
    if (file && file.deletedAt === null) await ctx.files.removeParts(id)
    else await ctx.files.remove(id)
    return undefined
  }

/** Files that were uploaded when the installation had another address are found under the new one. */
export const readdressFiles = (ctx: Context): Promise<void> =>
  ctx.transaction((tx) => setPublicOrigin(tx, ctx.config.baseURL.origin))
