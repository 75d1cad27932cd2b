import type { ParsedBillingBody } from '@tollgate/contract/billing-types'
import type { InputIssue } from '../../../../foundation/error.ts'
import { inBody } from '../../invalid.ts'

/** Rules for uploads: types, sizes and parts. */

const megabyte = 1024 * 1024

/** Picture types with the check of their first bytes. SVG is excluded because it can hold scripts. */
const pictures: Readonly<Record<string, (head: Buffer) => boolean>> = {
  'image/png': (head) => startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  'image/jpeg': (head) => startsWith(head, [0xff, 0xd8, 0xff]),
  'image/gif': (head) => /^GIF8[79]a/.test(head.toString('latin1')),
  'image/webp': (head) => /^RIFF.{4}WEBP/s.test(head.toString('latin1')),
}

const startsWith = (head: Buffer, bytes: readonly number[]): boolean =>
  bytes.every((byte, index) => head[index] === byte)

export const isPicture = (mimeType: string): boolean => Object.hasOwn(pictures, mimeType)

/** Whether the content matches a picture's type; always true for other types. */
export const isWhatItSays = (mimeType: string, head: Buffer): boolean => pictures[mimeType]?.(head) ?? true

type NewFile = ParsedBillingBody<'createFile'>
type Service = NewFile['service']

/** Maximum bytes of a file (contract, Files). */
const sizeLimits: Readonly<Record<Service, number>> = {
  product_media: 10 * megabyte,
  organization_avatar: megabyte,
  downloadable: 10_000_000_000,
}
/** Maximum bytes of a part, which must arrive within the request time-out. */
const partLimit = 50 * megabyte

/** Whether the file has a public URL; only pictures do. */
export const isPublic = (service: string): boolean => service === 'product_media' || service === 'organization_avatar'

/** Returns every fault of an announced file. */
export function checkNewFile({ service, mimeType, size, upload }: NewFile): InputIssue[] {
  const issues: InputIssue[] = []
  if (isPublic(service) && !isPicture(mimeType))
    issues.push(inBody('mime_type', `Input should be one of ${Object.keys(pictures).join(', ')}`))
  if (size > sizeLimits[service])
    issues.push(inBody('size', `Input should be less than or equal to ${sizeLimits[service]}`, 'less_than_equal'))
  return [...issues, ...checkParts(size, upload.parts)]
}

/** Parts are numbered from 1 and cover the file without gaps. */
function checkParts(size: number, parts: NewFile['upload']['parts']): InputIssue[] {
  const issues: InputIssue[] = []
  let end = 0
  for (const [index, { number, chunkStart, chunkEnd }] of parts.entries()) {
    const at = (member: string, msg: string) => issues.push(inBody(['upload', 'parts', index, member], msg))
    if (number !== index + 1) at('number', `Input should be ${index + 1}`)
    if (chunkStart !== end) at('chunk_start', `Input should be ${end}, where the part before ends`)
    if (chunkEnd <= chunkStart) at('chunk_end', 'Input should be greater than chunk_start')
    else if (chunkEnd - chunkStart > partLimit) at('chunk_end', `A part should have at most ${partLimit} bytes`)
    end = chunkEnd
  }
  if (end !== size) issues.push(inBody(['upload', 'parts'], `The parts should end with the file, at ${size}`))
  return issues.slice(0, 50)
}

const units = ['B', 'kB', 'MB', 'GB']

/** Formats a size as `1.2 MB`. */
export function readableSize(size: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3))
  const value = size / 1000 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`
}
