import { Buffer } from 'node:buffer'
import type { ParsedBillingBody } from '@tollgate/contract/billing-types'
import { after, days, hours } from '../../../foundation/clock.ts'
import type { Context } from '../../../foundation/context.ts'
import type { Id, Tx } from '../../../foundation/db/database.ts'
import { type InputIssue, TollgateError } from '../../../foundation/error.ts'
import { newUuid } from '../../../foundation/ids.ts'
import { enqueue, type JobHandler } from '../../../foundation/jobs.ts'
import { proven } from '../../../foundation/proof/proven.ts'
import { inBody, invalid } from '../invalid.ts'
import { lockMerchant } from '../merchant/merchant.repository.ts'
import type { BillingHandler } from '../seller/billing-handler.ts'
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

export const listFiles: BillingHandler<'listFiles'> = async ({ ctx, seller, query }) => {
  const { rows, pagination } = await listFileRows(ctx.db, seller.organizationId, query, query.ids)
  return { items: rows.map(toFile), pagination }
}

/** Time after which an unfinished upload is given up. */
const unfinishedKeptFor = hours(24)
/** Maximum unfinished uploads per organization, because they take up space. */
const unfinishedLimit = 100
/** Maximum files per organization, whatever their size. */
const fileLimit = 10_000

/** Announces a file; returns an upload URL for each part, valid for 15 minutes. */
export const createFile: BillingHandler<'createFile'> = async ({ ctx, seller: { organizationId }, body }) => {
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
    // The job removes an unfinished upload, or the leftover parts of a finished one.
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
      parts: body.upload.parts,
      publicOrigin: ctx.config.baseURL.origin,
      checksumSha256Base64: body.checksumSha256Base64 ?? null,
      version: body.version ?? null,
      isUploaded: false,
      createdAt: now,
    })
  })
  return { ...shownOf(row), service: body.service, upload: { id, path: row.path, parts } }
}

/** Refuses a file that exceeds the organization's limits. The lock lets concurrent requests see each other's files. */
async function assertRoom(ctx: Context, tx: Tx, organizationId: Id<'organization'>, size: number): Promise<void> {
  if (ctx.config.billing === false) throw new Error('billing is off, but a billing function was called')
  await lockMerchant(tx, organizationId)
  const sums = await sumFiles(tx, organizationId)
  if (sums.unfinished >= unfinishedLimit) throw invalid(inBody('upload', 'Too many uploads are unfinished.'))
  if (sums.count >= fileLimit) throw invalid(inBody('upload', `The limit of ${fileLimit} files is reached.`))
  const left = ctx.config.billing.files.roomPerOrganization - sums.size
  if (size > left) throw invalid(inBody('size', `Only ${Math.max(0, left)} bytes are left.`, 'less_than_equal'))
}

/** Joins a file's parts after checking them against the announcement. The file is usable from then on. Idempotent. */
export const completeFile: BillingHandler<'completeFile'> = async ({ ctx, seller, params, body }) => {
  const { organizationId } = seller
  const { id } = params
  const file = await findFile(ctx.db, organizationId, id)
  if (!file) throw new TollgateError('RESOURCE_NOT_FOUND')
  if (file.isUploaded) return toFile(file)
  const count = file.parts.length
  const issues = checkNamed(file, body, count)
  if (issues.length > 0) throw invalid(...issues)

  let joined: Joined
  try {
    joined = await ctx.files.join(id, count, (all) => checkJoined(file, body, all))
  } catch (error) {
    if (!(error instanceof MissingPart)) throw error
    // A concurrent request may have completed the file and removed its parts.
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
  // The file was removed while its parts were joined.
  await ctx.files.remove(id)
  throw new TollgateError('RESOURCE_NOT_FOUND')
}

type Completion = ParsedBillingBody<'completeFile'>

/** Checks the request alone: it names this upload, and each part once. */
function checkNamed(file: FileRow, { id, path, parts }: Completion, count: number): InputIssue[] {
  const issues: InputIssue[] = []
  if (id !== file.id) issues.push(inBody('id', 'The value does not match this upload.'))
  if (path !== file.path) issues.push(inBody('path', 'The value does not match this upload.'))
  if (new Set(parts.map(({ number }) => number)).size !== parts.length)
    issues.push(inBody('parts', 'The parts contain a duplicate.'))
  if (parts.length !== count || parts.some(({ number }) => number > count))
    issues.push(inBody('parts', `The upload consists of parts 1 to ${count}.`))
  return issues
}

/** Refuses parts that differ from the caller's checksums, and a file that differs from its announcement. */
function checkJoined(file: FileRow, { parts }: Completion, joined: Joined): void {
  const issues = parts.flatMap(({ number, checksumEtag, checksumSha256Base64 }, index) => {
    const { sha256 } = proven(joined.parts[number - 1], 'each of them is named once')
    if (checksumEtag.replace(/^(?:W\/)?"|"$/g, '') !== sha256)
      return [inBody(['parts', index, 'checksum_etag'], 'The checksum does not match the uploaded part.')]
    if (checksumSha256Base64 && checksumSha256Base64 !== inBase64(sha256))
      return [inBody(['parts', index, 'checksum_sha256_base64'], 'The checksum does not match the uploaded part.')]
    return []
  })
  if (joined.size !== file.size) issues.push(inBody('parts', 'The file size differs from the announced size.'))
  if (file.checksumSha256Base64 && file.checksumSha256Base64 !== inBase64(joined.sha256))
    issues.push(inBody('parts', 'The file checksum differs from the announced checksum.'))
  if (isPublic(file.service) && !isWhatItSays(file.mimeType, joined.head))
    issues.push(inBody('parts', `The file is not of type ${file.mimeType}.`))
  if (issues.length > 0) throw invalid(...issues.slice(0, 50))
}

const inBase64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

const digestsOf = ({ sha256 }: Joined) => ({
  checksumEtag: sha256,
  checksumSha256Hex: sha256,
  checksumSha256Base64: inBase64(sha256),
})

/** Changes a file's name or version. */
export const updateFile: BillingHandler<'updateFile'> = async ({ ctx, seller: { organizationId }, params, body }) => {
  const { id } = params
  const { name, version } = body
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

/** Removes a file and detaches it from products; a job deletes its bytes after the commit. */
export const deleteFile: BillingHandler<'deleteFile'> = async ({ ctx, seller: { organizationId }, params: { id } }) => {
  const now = ctx.clock.now()
  await ctx.transaction(async (tx) => {
    const removed = await updateFileRow(tx, organizationId, id, { deletedAt: now, modifiedAt: now })
    if (!removed) throw new TollgateError('RESOURCE_NOT_FOUND')
    await detachFile(tx, id)
    await enqueue(tx, now, { kind: 'remove-file', payload: id })
  })
}

/**
 * Deletes the bytes of a removed or unfinished file, or the leftover parts of a complete one. Without billing no
 * directory is configured, so the job waits.
 */
export const createRemoveFileHandler =
  (ctx: Context): JobHandler =>
  async ({ payload: id }) => {
    if (ctx.config.billing === false) return after(ctx.clock.now(), days(1))
    await ctx.transaction((tx) => markAbandoned(tx, id, ctx.clock.now()))
    const file = await findAnyFile(ctx.db, id)
    if (file && file.deletedAt === null) await ctx.files.removeParts(id)
    else await ctx.files.remove(id)
    return undefined
  }

/** Moves the public URLs of earlier uploads to the installation's present address. */
export const readdressFiles = (ctx: Context): Promise<void> =>
  ctx.transaction((tx) => setPublicOrigin(tx, ctx.config.baseURL.origin))
