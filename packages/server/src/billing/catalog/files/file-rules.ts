import type { ParsedBillingBody } from '@tollgate/contract/billing-types'
import type { InputIssue } from '../../../error.ts'
import { inBody } from '../../invalid.ts'

/** What may be uploaded, and what an upload has to look like. */

const megabyte = 1024 * 1024

/**
 * Pictures that browsers show and that carry nothing to run, by what their first bytes are. SVG is none of them: it can hold
 * scripts.
 */
const pictures: Readonly<Record<string, (head: Buffer) => boolean>> = {
  'image/png': (head) => startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  'image/jpeg': (head) => startsWith(head, [0xff, 0xd8, 0xff]),
  'image/gif': (head) => /^GIF8[79]a/.test(head.toString('latin1')),
  'image/webp': (head) => /^RIFF.{4}WEBP/s.test(head.toString('latin1')),
}

const startsWith = (head: Buffer, bytes: readonly number[]): boolean =>
  bytes.every((byte, index) => head[index] === byte)

export const isPicture = (mimeType: string): boolean => Object.hasOwn(pictures, mimeType)

/** Whether a picture is what it says; a file of any other kind is not looked into. */
export const isWhatItSays = (mimeType: string, head: Buffer): boolean => pictures[mimeType]?.(head) ?? true

type NewFile = ParsedBillingBody<'createFile'>
type Service = NewFile['service']

/** Most bytes of a file (contract, Files). */
const sizeLimits: Readonly<Record<Service, number>> = {
  product_media: 10 * megabyte,
  organization_avatar: megabyte,
  downloadable: 10_000_000_000,
}
/** Most bytes of one part: it must come within the time that a request has. */
const partLimit = 50 * megabyte

/** What has a public address: pictures only. */
export const isPublic = (service: string): boolean => service === 'product_media' || service === 'organization_avatar'

/** All that is wrong with a file that is announced. */
export function checkNewFile({ service, mimeType, size, upload }: NewFile): InputIssue[] {
  const issues: InputIssue[] = []
  if (isPublic(service) && !isPicture(mimeType))
    issues.push(inBody('mime_type', `Input should be one of ${Object.keys(pictures).join(', ')}`))
  if (size > sizeLimits[service])
    issues.push(inBody('size', `Input should be less than or equal to ${sizeLimits[service]}`, 'less_than_equal'))
  return [...issues, ...checkParts(size, upload.parts)]
}

/** Parts are numbered from 1 and follow each other without a gap, from the first byte to the last. */
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

/** `1.2 MB`. */
export function readableSize(size: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3))
  const value = size / 1000 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`
}
