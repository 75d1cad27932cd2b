import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js'
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js'
import decodePng, { init as initPngDecoder } from '@jsquash/png/decode.js'
import encodePng, { init as initPngEncoder } from '@jsquash/png/encode.js'
import resize, { initResize } from '@jsquash/resize'
import decodeWebp, { init as initWebpDecoder } from '@jsquash/webp/decode.js'
import { storedPictureSide } from '@tollgate/contract/picture'
import type { PictureHead } from './picture-size.ts'
import { shrunk } from './shrunk.ts'

/** Media types of stored pictures: every browser and mail program shows them. */
export const storedTypes = ['image/jpeg', 'image/png'] as const

/** A picture as it is stored. */
export type Developed = {
  readonly mediaType: (typeof storedTypes)[number]
  readonly width: number
  readonly height: number
  readonly bytes: Uint8Array
}

export type Pixels = {
  readonly data: Uint8ClampedArray<ArrayBuffer>
  readonly width: number
  readonly height: number
  readonly colorSpace: 'srgb' | 'display-p3'
}

// The codecs construct their results by this name, which only browsers have.
class Bitmap implements Pixels {
  readonly data: Pixels['data']
  readonly width: number
  readonly height: number
  readonly colorSpace = 'srgb'

  constructor(data: Pixels['data'], width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}
Object.assign(globalThis, { ImageData: Bitmap })

const wasm = (file: string): Promise<Buffer> => readFile(fileURLToPath(import.meta.resolve(file)))

/** Options of the codecs made by Emscripten. They write to the console, which belongs to the server's log. */
const emscripten = async (file: string) => ({
  noInitialRun: true,
  wasmBinary: await wasm(file),
  print: () => {},
  printErr: () => {},
})

/** Loads a codec once, when it is first needed. */
const once = <Loaded>(load: () => Promise<Loaded>) => {
  let loading: Promise<Loaded> | undefined
  return () => (loading ??= load())
}

const png = once(async () => {
  const codec = await wasm('@jsquash/png/codec/pkg/squoosh_png_bg.wasm')
  await Promise.all([initPngDecoder(codec), initPngEncoder(codec)])
})
const resizing = once(async () => initResize(await wasm('@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm')))

const decoders: Readonly<Record<PictureHead['mediaType'], (bytes: ArrayBuffer) => Promise<Pixels>>> = {
  'image/jpeg': withLoaded(
    once(async () => initJpegDecoder(await emscripten('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'))),
    // Cameras store a turned picture with a note; the note is not kept.
    (bytes) => decodeJpeg(bytes, { preserveOrientation: true }),
  ),
  'image/png': withLoaded(png, (bytes) => decodePng(bytes)),
  'image/webp': withLoaded(
    once(async () => initWebpDecoder(await emscripten('@jsquash/webp/codec/dec/webp_dec.wasm'))),
    (bytes) => decodeWebp(bytes),
  ),
}
const encodeAsJpeg = withLoaded(
  once(async () => initJpegEncoder(await emscripten('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'))),
  (pixels: Pixels) => encodeJpeg(pixels, { quality: 85 }),
)

function withLoaded<Given, Result>(load: () => Promise<unknown>, work: (given: Given) => Promise<Result>) {
  return async (given: Given): Promise<Result> => {
    await load()
    return work(given)
  }
}

/**
 * Makes a stored picture of an uploaded one: within 512 pixels, and without the metadata, such as the place where it was
 * taken. A picture with transparent parts becomes a PNG, any other a JPEG. Throws for a picture that cannot be read.
 */
export async function develop(upload: ArrayBuffer, head: PictureHead): Promise<Developed> {
  const decoded = await decoders[head.mediaType](upload)
  if (!isOfSize(decoded, head)) throw new Error('the header names another size')
  const pixels = await fitted(decoded)
  const { width, height } = pixels
  const isOpaque = pixels.data.every((value, index) => index % 4 !== 3 || value === 255)
  const [type, bytes] = isOpaque
    ? (['image/jpeg', await encodeAsJpeg(pixels)] as const)
    : (['image/png', await encodePng(pixels)] as const)
  return { mediaType: type, width, height, bytes: new Uint8Array(bytes) }
}

/** Whether a decoded picture has the size that was checked. The decoder of JPEG may have turned it. */
function isOfSize({ width, height }: Pixels, head: PictureHead): boolean {
  if (width === head.width && height === head.height) return true
  return head.mediaType === 'image/jpeg' && width === head.height && height === head.width
}

async function fitted(pixels: Pixels): Promise<Pixels> {
  const scale = storedPictureSide / Math.max(pixels.width, pixels.height)
  if (scale >= 1) return pixels
  await resizing()
  const scaled = (side: number) => Math.max(1, Math.round(side * scale))
  const size = { width: scaled(pixels.width), height: scaled(pixels.height) }
  return resize(shrunk(pixels, 2 * storedPictureSide), size)
}
